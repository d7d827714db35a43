#include "interact/campaign/regression_test.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

class RegressionTest : public ::testing::Test {
 protected:
  RegressionTest() {
    std::string pattern = (fs::temp_directory_path() / "heddle-test-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~RegressionTest() override { fs::remove_all(folder_); }

  // Runs the test of `kept` on a program that is a shell script.
  int run(const KeptInput& kept, const std::string& program, const std::string& file_name = "") {
    write("tool", "#!/bin/sh\n" + program);
    fs::permissions(folder_ / "tool", fs::perms::owner_all);
    write("test.sh", regression_test(kept, {.name = "test",
                                            .program = "tool",
                                            .file_name = file_name,
                                            .base = "main",
                                            .golden = {"fix-1", "fix-2"}}));
    const int status =
        std::system(("cd " + folder_.string() + " && sh test.sh ./tool > output 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  fs::path folder_;
};

KeptInput kept_input() {
  KeptInput kept;
  kept.differing.input.arguments = {"a b", "it's"};
  kept.differing.input.standard_input = "one\ntwo";
  kept.differing.base.out = "a b/it's/one\ntwo";
  kept.differing.head.out = "wrong";
  kept.judgements = {Judgement::kDifference};
  return kept;
}

constexpr char kRight[] = "printf '%s/%s/' \"$1\" \"$2\"; cat; exit 0";

TEST_F(RegressionTest, PassesOnTheBaseAndFailsOnAnotherOutput) {
  EXPECT_EQ(run(kept_input(), kRight), 0);
  EXPECT_EQ(run(kept_input(), "printf wrong"), 1);
}

TEST_F(RegressionTest, FailsOnAnotherExitCode) {
  KeptInput kept = kept_input();
  kept.differing.base.exit_code = 3;
  EXPECT_EQ(run(kept, kRight), 1);
  EXPECT_EQ(run(kept, "printf '%s/%s/' \"$1\" \"$2\"; cat; exit 3"), 0);
}

TEST_F(RegressionTest, ExpectsWhatTheGoldenVersionDidThatSaysTheHeadIsWrong) {
  KeptInput kept = kept_input();
  kept.judgements = {Judgement::kProgression, Judgement::kIncompleteFix};
  kept.differing.golden.resize(2);
  kept.differing.golden[1].out = "gold";
  EXPECT_EQ(run(kept, "printf gold"), 0);
  EXPECT_EQ(run(kept, kRight), 1);
}

TEST_F(RegressionTest, ExpectsWhatTheHeadDoesIfThatIsProgress) {
  KeptInput kept = kept_input();
  kept.judgements = {Judgement::kProgression};
  kept.differing.golden.resize(1);
  EXPECT_EQ(run(kept, "printf wrong"), 0);
  EXPECT_EQ(run(kept, kRight), 1);
}

TEST_F(RegressionTest, IsOnlyMadeOfWhatItWouldNotice) {
  KeptInput kept = kept_input();
  const RegressionTestRequest request{
      .name = "test", .program = "tool", .file_name = {}, .base = "main", .golden = {}};
  EXPECT_TRUE(can_be_tested(kept, request));
  kept.differing.head = kept.differing.base;
  kept.differing.head.err = "another message";
  EXPECT_FALSE(can_be_tested(kept, request));
  kept.differing.head.exit_code = 1;
  EXPECT_TRUE(can_be_tested(kept, request));
}

TEST_F(RegressionTest, HasTheInputFileWhereTheProgramRuns) {
  KeptInput kept = kept_input();
  kept.differing.input.file = "content\n";
  kept.differing.base.out = "content\n";
  EXPECT_EQ(run(kept, "cat in.txt", "in.txt"), 0);
  EXPECT_FALSE(fs::exists(folder_ / "in.txt"));
}

TEST_F(RegressionTest, ExpectsASignalAsAShellSeesIt) {
  KeptInput kept = kept_input();
  kept.differing.base.out = "";
  kept.differing.base.signal = 9;
  EXPECT_EQ(run(kept, "kill -9 $$"), 0);
}

}  // namespace
}  // namespace heddle::interact
