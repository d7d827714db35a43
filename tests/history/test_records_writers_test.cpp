// Records of several processes at once, and of disks that are full.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>

#include "project.h"
#include "record.h"

namespace heddle {
namespace {

constexpr int kRecordWriters = 6;
constexpr int kTests = 20;

// Each records tests of its own, and one that all record.
bool record_all(const std::string& file, int writer) {
  Expected<History> history = History::open(file, {.patience = std::chrono::minutes(1)});
  if (!history) return false;
  for (int i = 0; i < kTests; ++i) {
    const TestRecord record = record_of("test " + std::to_string(writer) + "." + std::to_string(i));
    if (!history->records().save(record, kTree)) return false;
    if (!history->records().save(record_of("common"), kTree)) return false;
    if (!history->records().save_trial(record.key, 1, {.executions = 5, .suppressed = 0, .fingerprints = {}}))
      return false;
  }
  return true;
}

int exit_code_of(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST(RecordWriters, LoseNothing) {
  Project project;
  std::vector<pid_t> children;
  for (int writer = 0; writer < kRecordWriters; ++writer) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(record_all(project.history(), writer) ? 0 : 1);
    children.push_back(child);
  }
  // A snapshot while they write can be read, and has whole records only.
  History history = open_history(project.history());
  const std::string snapshot = (project.root() / "snapshot.db").string();
  ASSERT_TRUE(history.copy_to(snapshot));
  History copy = open_history(snapshot);
  const Expected<std::vector<KnownTest>> copied = copy.records().load_all(0);
  ASSERT_TRUE(copied);
  for (const KnownTest& known : *copied) EXPECT_EQ(known.record.functions.size(), 2u);
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(history.records().load_all(kTree.content)->size(), size_t{kRecordWriters * kTests + 1});
}

// Records until there is no room; then says how many it had saved and whether the sentence was right.
int fill(const std::string& file, const std::string& sentence) {
  Expected<History> history = History::open(file);
  if (!history) return 100;
  for (int i = 0; i < 90; ++i) {
    TestRecord record = record_of("test " + std::to_string(i));
    record.message = std::string(40'000, 'x');
    const Expected<void> saved = history->records().save(record, kTree);
    if (saved) continue;
    return saved.error().message.find(sentence) != std::string::npos ? i : 101;
  }
  return 102;
}

TEST(RecordWriter, OnAFullDiskSaysSoAndLosesNothing) {
  Project project;
  const std::string folder = (project.root() / "disk").string();
  std::filesystem::create_directory(folder);
  const std::string file = folder + "/history.db";
  constexpr int kNoNamespace = 103;
  const int result = exit_code_of([&] {
    if (::unshare(CLONE_NEWNS) != 0) return kNoNamespace;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return kNoNamespace;
    if (::mount("none", folder.c_str(), "tmpfs", 0, "size=1m") != 0) return kNoNamespace;
    const int saved = fill(file, "there is no room on the disk");
    if (saved < 1 || saved >= 100) return saved;
    // What was saved before is all there.
    Expected<History> again = History::open(file);
    if (!again) return 104;
    const auto all = again->records().load_all(kTree.content);
    return all && all->size() == static_cast<size_t>(saved) ? 0 : 105;
  });
  if (result == kNoNamespace) GTEST_SKIP() << "a disk of the test's own cannot be made here";
  EXPECT_EQ(result, 0);
}

TEST(RecordWriter, WhoMayNotWriteMoreSaysSoAndLosesNothing) {
  Project project;
  const int saved = exit_code_of([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1'000'000, 1'000'000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 99;
    return fill(project.history(), project.history());
  });
  ASSERT_GT(saved, 0);
  ASSERT_LT(saved, 99);
  History history = open_history(project.history());
  EXPECT_EQ(history.records().load_all(kTree.content)->size(), static_cast<size_t>(saved));
}

}  // namespace
}  // namespace heddle
