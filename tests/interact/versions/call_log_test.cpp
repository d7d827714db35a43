// The log of a build's compiler calls, and the content of archives in it.
#include "interact/versions/call_log.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "git_versions.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

class CallLogFolder : public GitVersions {
 protected:
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path, std::ios::binary) << text;
  }
  void ar(const std::string& words) const {
    const Ran done =
        run("ar", fmt::format("--version >/dev/null; cd '{}' && ar {}", folder_.string(), words));
    ASSERT_EQ(done.exit_code, 0) << done.out;
  }
  uint64_t content(const std::string& path) const { return content_of(folder_ / path)->content; }
  CallRecord compiled(const std::string& flag, const std::string& object) const {
    CallRecord record;
    record.call = {folder_, {"/usr/bin/gcc", flag, "-c", "a.c", "-o", object}};
    record.files[(folder_ / object).string()] = {content(object), false, {}};
    return record;
  }
};

TEST_F(CallLogFolder, ReadsMembersOfArchives) {
  const std::string long_name = "a_name_that_is_longer_than_sixteen.o";
  put("short.o", "odd");
  put(long_name, "long name");
  ar(fmt::format("qcS lib.a short.o {}", long_name));
  ar(fmt::format("qcST thin.a short.o {}", long_name));
  for (const std::string archive : {"lib.a", "thin.a"}) {
    const std::optional<FileContent> read = content_of(folder_ / archive);
    ASSERT_TRUE(read && read->is_archive) << archive;
    ASSERT_EQ(read->members.size(), 2U) << archive;
    EXPECT_EQ(read->members[0].name, "short.o");
    EXPECT_EQ(read->members[0].content, content("short.o"));
    EXPECT_EQ(read->members[1].name, long_name);
    EXPECT_EQ(read->members[1].content, content(long_name));
  }
}

TEST_F(CallLogFolder, KnowsObjectsByContentAfterTheyAreOverwritten) {
  const fs::path log = folder_ / "log";
  put("a.o", "first");
  const uint64_t first = content("a.o");
  append_to_log(log, compiled("-DFIRST", "a.o"));
  put("a.o", "second");
  append_to_log(log, compiled("-DSECOND", "a.o"));
  std::ofstream(log, std::ios::app) << R"({"directory": "/x", "argu)";  // killed
  const CallLog read = CallLog::read(log);
  ASSERT_EQ(read.records().size(), 2U);
  const auto of_first = read.origin(folder_ / "a.o", first);
  ASSERT_TRUE(of_first);
  EXPECT_EQ(read.records()[of_first->record].call.arguments[1], "-DFIRST");
  const auto of_member = read.origin(ArchiveMember{"a.o", content("a.o")});
  ASSERT_TRUE(of_member);
  EXPECT_EQ(read.records()[of_member->record].call.arguments[1], "-DSECOND");
  // Stripped since.
  const auto of_other = read.origin(folder_ / "a.o", 17);
  ASSERT_TRUE(of_other);
  EXPECT_EQ(read.records()[of_other->record].call.arguments[1], "-DSECOND");
  EXPECT_FALSE(read.origin(folder_ / "b.o", 17));
}

}  // namespace
}  // namespace heddle::interact
