#include "generate/user_pools.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

using Texts = std::vector<std::string>;

class UserPoolsTest : public ::testing::Test {
 protected:
  Expected<UserPools> read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_user_pools(path_);
  }
  // Without the file's name.
  std::string error_of(const std::string& text) {
    const Expected<UserPools> pools = read(text);
    if (pools) return "";
    EXPECT_TRUE(pools.error().message.starts_with(path_ + ":")) << pools.error().message;
    return pools.error().message.substr(path_.size());
  }

  static std::string folder() {
    const char* temporary = std::getenv("TEST_TMPDIR");
    return temporary == nullptr ? "." : temporary;
  }
  const std::string path_ = std::filesystem::path(folder()) / "pools.toml";
};

TEST_F(UserPoolsTest, EverythingThatCanBeSaidIsRead) {
  const Expected<UserPools> pools = read(R"toml(
include = ["tests/fakes.h"]
skip = ["connect", "wait(int)"]
observe = ["object.size()"]
invariant = ["object.size() <= 8"]
[values]
"std::string" = ['"a"', '"b"']
"ns::Key" = ["ns::Key(1)"]
[construct]
with = ["(2)", "= ns::make_cache(4)"]
)toml");
  ASSERT_TRUE(pools) << pools.error().message;
  EXPECT_EQ(pools->includes, Texts{"tests/fakes.h"});
  EXPECT_EQ(pools->skip, (Texts{"connect", "wait(int)"}));
  EXPECT_EQ(pools->observe, Texts{"object.size()"});
  EXPECT_EQ(pools->invariant, Texts{"object.size() <= 8"});
  EXPECT_EQ(pools->values.at("std::string"), (Texts{"\"a\"", "\"b\""}));
  EXPECT_EQ(pools->values.at("ns::Key"), Texts{"ns::Key(1)"});
  EXPECT_EQ(pools->construct, (Texts{"(2)", "= ns::make_cache(4)"}));
}

TEST_F(UserPoolsTest, AnEmptyFileSaysNothing) {
  const Expected<UserPools> pools = read("# nothing\n");
  ASSERT_TRUE(pools) << pools.error().message;
  EXPECT_TRUE(pools->values.empty() && pools->skip.empty());
}

TEST_F(UserPoolsTest, AMistypedKeyIsAnsweredWithTheNearest) {
  EXPECT_EQ(error_of("skip = []\nobserves = []\n"), ":2: unknown key 'observes'; did you mean 'observe'?");
  EXPECT_EQ(error_of("timeout = 3\n"),
            ":1: unknown key 'timeout'; known are include, skip, observe, invariant, values, construct");
  EXPECT_EQ(error_of("[construct]\nargs = []\n"),
            ":2: unknown key 'args' in [construct]; the only one is 'with'");
}

TEST_F(UserPoolsTest, AWrongTypeIsToldWithItsLine) {
  EXPECT_EQ(error_of("\nskip = \"connect\"\n"), ":2: 'skip' must be a list of strings: skip = [\"…\"]");
  EXPECT_EQ(error_of("[values]\n\"ns::Key\" = [\n1]\n"), ":3: 'ns::Key' must be a list of strings");
  EXPECT_EQ(error_of("[values]\n\"ns::Key\" = []\n"), ":2: 'ns::Key' has no values");
  EXPECT_EQ(error_of("observe = [\" \"]\n"), ":1: 'observe' has an empty text in its list");
}

TEST_F(UserPoolsTest, TheFirstOfSeveralMistakesIsTold) {
  EXPECT_TRUE(error_of("zebra = 1\nskip = 2\ninclude = 3\n").starts_with(":1: unknown key 'zebra'"));
}

TEST_F(UserPoolsTest, WhatIsNoTomlIsToldWithItsLine) {
  EXPECT_TRUE(error_of("skip = [\"a\"]\nobserve = [\n").starts_with(":")) << error_of("observe = [\n");
}

TEST_F(UserPoolsTest, AFileThatIsNotThereIsNamed) {
  const Expected<UserPools> pools = read_user_pools(path_ + ".missing");
  ASSERT_FALSE(pools);
  EXPECT_EQ(pools.error().message, path_ + ".missing cannot be read");
}

}  // namespace
}  // namespace heddle::generate
