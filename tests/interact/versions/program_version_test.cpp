// Versions of a program in a store: what is made, what is not made again, and what is said of failures.
#include "interact/versions/program_version.h"

#include <fstream>
#include <thread>

#include "git_versions.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

class Versions : public GitVersions {
 protected:
  void SetUp() override {
    GitVersions::SetUp();
    write("tool.c", R"(#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  char* letters = malloc(4);
  int index = argc > 1 ? atoi(argv[1]) : 0;
  assert(index < 100);
  letters[index] = 'x';
  fwrite(letters + index, 1, 1, stdout);
  free(letters);
  return 0;
}
)");
    build_by("cc -O2 -s -static -o tool tool.c");
    commit();
  }
};

TEST_F(Versions, GuardedOnesReportWhatPlainOnesDoNot) {
  const ProgramVersion version = make("tool");
  EXPECT_EQ(run(version.plain, "3").out, "x");
  EXPECT_EQ(run(version.guarded, "3").out, "x");
  EXPECT_EQ(run(version.plain, "5").exit_code, 0);
  const Ran overflow = run(version.guarded, "5");
  EXPECT_NE(overflow.exit_code, 0);
  EXPECT_NE(overflow.out.find("heap-buffer-overflow"), std::string::npos) << overflow.out;
  EXPECT_NE(overflow.out.find("tool.c:8"), std::string::npos) << overflow.out;
  // Assertions are as the project has them.
  EXPECT_NE(run(version.plain, "100").out.find("Assertion"), std::string::npos);
  EXPECT_NE(run(version.guarded, "100").out.find("Assertion"), std::string::npos);
}

TEST_F(Versions, AreMadeOnce) {
  const ProgramVersion first = make("tool");
  const fs::path recorded = recordable(first, "tool");
  const fs::file_time_type made = fs::last_write_time(recorded);
  EXPECT_FALSE(said().empty());
  forget_said();
  const ProgramVersion second = make("tool");
  EXPECT_EQ(recordable(second, "tool"), recorded);
  EXPECT_EQ(said(), std::vector<std::string>{});
  EXPECT_EQ(second.guarded, first.guarded);
  EXPECT_EQ(fs::last_write_time(recorded), made);
  // Other watched lines are another program.
  const concolic::WatchedLine line{(first.source / "tool.c").string(), 8, 0};
  const fs::path watching = recordable(second, "tool", false, {line});
  EXPECT_NE(watching, recorded);
  EXPECT_EQ(record(watching, {{"1"}, "", ""}).marks, 1U);
}

TEST_F(Versions, StandSideBySide) {
  const ProgramVersion base = make("tool");
  write("tool.c", "#include <stdio.h>\nint main(void) { putchar('y'); return 0; }\n");
  commit();
  const ProgramVersion head = make("tool");
  write("tool.c", "#include <stdio.h>\nint main(void) { putchar('z'); return 0; }\n");
  const ProgramVersion tree = make("tool", false, "");
  EXPECT_EQ(run(base.plain).out, "x");
  EXPECT_EQ(run(base.guarded).out, "x");
  EXPECT_EQ(run(head.plain).out, "y");
  EXPECT_EQ(run(head.guarded).out, "y");
  EXPECT_EQ(run(tree.guarded).out, "z");
  EXPECT_NE(base.source, head.source);
  EXPECT_TRUE(tree.revision.is_working_tree);
}

TEST_F(Versions, WhatWasNotFinishedIsMadeAgain) {
  const ProgramVersion whole = make("tool");
  const fs::path folder = whole.guarded.parent_path();
  // As a process leaves it that is killed before the end.
  fs::rename(folder, folder.string() + ".next");
  std::ofstream(folder.string() + ".next/guarded", std::ios::trunc) << "half";
  const ProgramVersion again = make("tool");
  EXPECT_EQ(again.guarded, whole.guarded);
  EXPECT_EQ(run(again.guarded, "3").out, "x");
}

TEST_F(Versions, AreMadeByOneOfSeveralAtOnce) {
  const auto make_one = [this](std::string* out) { *out = make("tool").guarded.string(); };
  std::string first;
  std::string second;
  std::thread other(make_one, &second);
  make_one(&first);
  other.join();
  EXPECT_EQ(first, second);
  EXPECT_EQ(run(first, "2").out, "x");
}

TEST_F(Versions, FailuresNameRevisionAndCompilerError) {
  write("tool.c", "int main(void) { return missing; }\n");
  commit();
  const std::string error = error_of("tool");
  EXPECT_EQ(error.find("HEAD does not build: `cc -O2 -s -static -o tool tool.c` failed"), 0U) << error;
  EXPECT_NE(error.find("tool.c:1:25: error: "), std::string::npos) << error;
  EXPECT_EQ(error_of("tool", false, "HEAD~1"), "");
}

TEST_F(Versions, AreFoundByContentWhereTheBuildHasPutThem) {
  build_by("cc -o tool.tmp tool.c && mkdir -p out && mv tool.tmp out/tool");
  commit();
  const ProgramVersion version = make("out/tool");
  EXPECT_EQ(version.plain.filename(), "tool");
  EXPECT_EQ(run(version.plain, "3").out, "x");
  EXPECT_EQ(run(version.guarded, "3").out, "x");
}

TEST_F(Versions, SayIfNoCompilerWasSeen) {
  build_by("true");
  commit();
  EXPECT_NE(error_of("tool").find("links no program, or by a compiler that heddle does not see"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::interact
