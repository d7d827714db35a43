// Verdicts of executed suspicions: what came of them on a build, whatever the test was.
#include <sys/wait.h>

#include "history/database.h"
#include "project.h"

namespace heddle {
namespace {

const std::string kFingerprint = "c56507bd6cfb33fb";
const RememberedVerdict kHarmful{.harmful = true,
                                 .why = "it failed: assertion",
                                 .input = "numbers.txt",
                                 .schedule = "heddle schedule 1\nsteps\n  main 3\n",
                                 .time = 1'700'000'000};
const RememberedVerdict kBenign{.schedule = "heddle schedule 1\n", .time = 1'700'000'001};

class Verdicts : public testing::Test {
 protected:
  static void save(History& history, const RememberedVerdict& verdict, const std::string& program = "1",
                   const std::string& fingerprint = kFingerprint) {
    const Expected<void> saved = history.save_verdict(Project::build(program), fingerprint, verdict);
    EXPECT_TRUE(saved) << saved.error().message;
  }
  static std::optional<RememberedVerdict> load(History& history, const std::string& program = "1",
                                               const std::string& fingerprint = kFingerprint) {
    const Expected<std::optional<RememberedVerdict>> loaded =
        history.load_verdict(Project::build(program), fingerprint);
    if (!loaded) ADD_FAILURE() << loaded.error().message;
    return loaded ? *loaded : std::nullopt;
  }
  // As the first version had left it, with a pair.
  void make_first_version(const std::string& file) {
    project_.write("queue.cpp", "text");
    {
      History history = open_history(file);
      heddle::save(history, Project::build("1"), pair_memory(statement_, statement_));
    }
    Database database(file, Database::Mode::kReadWrite, std::chrono::seconds(1));
    database.execute(kToSecondVersion);
    database.execute(kToFirstVersion);
    ASSERT_TRUE(database.result());
  }

  Project project_;
  const Statement statement_ = statement_at("queue.cpp", 10);
};

TEST_F(Verdicts, AreRemembered) {
  {
    History history = open_history(project_.history());
    EXPECT_FALSE(load(history));
    save(history, kHarmful);
  }
  History history = open_history(project_.history());
  EXPECT_EQ(load(history), kHarmful);
  EXPECT_FALSE(load(history, "1", "another"));
}

TEST_F(Verdicts, AreOfOneBuildOnly) {
  History history = open_history(project_.history());
  save(history, kHarmful);
  EXPECT_FALSE(load(history, "2"));
  save(history, kBenign, "2");
  EXPECT_EQ(load(history, "1"), kHarmful);
  EXPECT_EQ(load(history, "2"), kBenign);
}

TEST_F(Verdicts, OfHarmOutdoThoseOfNone) {
  for (const bool harm_first : {true, false}) {
    const std::string fingerprint = harm_first ? "first" : "last";
    History history = open_history(project_.history());
    save(history, harm_first ? kHarmful : kBenign, "1", fingerprint);
    save(history, harm_first ? kBenign : kHarmful, "1", fingerprint);
    EXPECT_EQ(load(history, "1", fingerprint), kHarmful);
  }
}

TEST_F(Verdicts, StayAsTheyWereFirst) {
  History history = open_history(project_.history());
  save(history, kHarmful);
  RememberedVerdict later = kHarmful;
  later.schedule = "another";
  save(history, later);
  EXPECT_EQ(load(history), kHarmful);
}

TEST_F(Verdicts, AreMerged) {
  const std::string other_file = (project_.root() / "other/history.db").string();
  {
    History other = open_history(other_file);
    save(other, kHarmful);
    save(other, kBenign, "2");
  }
  const std::string bytes = read_bytes(other_file);
  History history = open_history(project_.history());
  save(history, kBenign);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(history.merge_from(other_file));
    EXPECT_EQ(load(history), kHarmful);
    EXPECT_EQ(load(history, "2"), kBenign);
  }
  EXPECT_EQ(read_bytes(other_file), bytes);
}

TEST_F(Verdicts, CanBeAddedToAHistoryOfTheFirstVersion) {
  make_first_version(project_.history());
  for (int i = 0; i < 2; ++i) {
    History history = open_history(project_.history());
    EXPECT_EQ(heddle::load(history, Project::build("1")).sets.size(), 1u);
    EXPECT_EQ(load(history).has_value(), i == 1);
    save(history, kHarmful);
    EXPECT_EQ(load(history), kHarmful);
  }
}

TEST_F(Verdicts, AHistoryOfTheFirstVersionIsMergedAndStaysAsItIs) {
  const std::string old_file = (project_.root() / "old/history.db").string();
  make_first_version(old_file);
  const std::string bytes = read_bytes(old_file);
  History history = open_history(project_.history());
  const Expected<void> merged = history.merge_from(old_file);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(heddle::load(history, Project::build("1")).sets.size(), 1u);
  EXPECT_EQ(read_bytes(old_file), bytes);
}

// Each process has verdicts of its own, and one that all have; the file is of the first version when they
// begin.
TEST_F(Verdicts, OfSeveralProcessesAreAllKept) {
  constexpr int kWriters = 8;
  constexpr int kEach = 10;
  const auto name = [](int writer, int i) { return std::to_string(writer * kEach + i); };
  make_first_version(project_.history());
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Expected<History> history = History::open(project_.history(), {.patience = std::chrono::minutes(1)});
      bool saved = history.has_value();
      for (int i = 0; i < kEach && saved; ++i) {
        saved = history->save_verdict(Project::build("1"), "all", kHarmful) &&
                history->save_verdict(Project::build("1"), name(writer, i), kHarmful);
      }
      ::_exit(saved ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  History history = open_history(project_.history());
  EXPECT_EQ(load(history, "1", "all"), kHarmful);
  for (int writer = 0; writer < kWriters; ++writer)
    for (int i = 0; i < kEach; ++i) EXPECT_EQ(load(history, "1", name(writer, i)), kHarmful);
}

}  // namespace
}  // namespace heddle
