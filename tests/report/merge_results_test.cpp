#include "report/merge_results.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json finding(const std::string& fingerprint, const std::string& status, const std::string& test) {
  return {{"kind", "race"},
          {"fingerprint", fingerprint},
          {"confirmed", true},
          {"status", status},
          {"test", test}};
}

Json result(const std::string& shard, int executions, bool complete, const Json& findings) {
  return {{"command", "check"},
          {"seconds", executions / 10.0},
          {"executions", executions},
          {"complete", complete},
          {"findings", findings},
          {"shard", shard},
          {"base", {{"commit", "b"}, {"build_seconds", 3}}},
          {"of", 7},
          {"new", findings.size()},
          {"known", 0},
          {"not_reached", Json::array()},
          {"stages", {{{"name", "tests"}, {"executions", executions}}}}};
}

TEST(MergeResults, TellsEachFindingOnceAndAddsUp) {
  const Json one = result("1/2", 20, true, {finding("f1", "new", "a"), finding("f2", "new", "b")});
  const Json other = result("2/2", 30, false, {finding("f1", "known", "c"), finding("f3", "new", "d")});
  const Expected<Json> merged = merge_results({one, other}, {"one", "other"});
  ASSERT_TRUE(merged) << merged.error().message;
  const Json& all = *merged;
  ASSERT_EQ(all["findings"].size(), 3u);
  // What the base of one shard has is not new, whatever the other one has seen.
  EXPECT_EQ(all["findings"][0]["status"], "known");
  EXPECT_EQ(all["findings"][0]["tests"], Json({"a", "c"}));
  EXPECT_EQ(all["new"], 2);
  EXPECT_EQ(all["known"], 1);
  EXPECT_EQ(all["executions"], 50);
  EXPECT_EQ(all["seconds"], 3.0);
  EXPECT_EQ(all["of"], 7);
  EXPECT_EQ(all["complete"], false);
  EXPECT_EQ(all["base"]["build_seconds"], 3);
  ASSERT_EQ(all["stages"].size(), 1u);
  EXPECT_EQ(all["stages"][0]["executions"], 50);
  EXPECT_FALSE(all.contains("shard"));
  EXPECT_EQ(merge_results({one}, {"one"})->at("new"), 2);
}

TEST(MergeResults, WhatDoesNotBelongTogetherIsSaid) {
  const Json one = result("1/2", 1, true, Json::array());
  Json other = one;
  other["command"] = "explore";
  EXPECT_FALSE(merge_results({one, other}, {"one", "other"}));
  other = one;
  other["base"]["commit"] = "c";
  EXPECT_FALSE(merge_results({one, other}, {"one", "other"}));
  EXPECT_FALSE(merge_results({one, Json::array()}, {"one", "other"}));
}

}  // namespace
}  // namespace heddle
