// Several processes and threads that use one history.
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "history/database.h"
#include "project.h"

namespace heddle {
namespace {

constexpr uint32_t kHistoryWriters = 8;
constexpr uint32_t kSaves = 10;

Statement line(uint32_t number) {
  return statement_at("queue.cpp", number + 1);
}

// Each writer adds statements of its own, and one that all add.
bool write_all(const std::string& file, uint32_t writer) {
  Expected<History> history = History::open(file, {.patience = std::chrono::minutes(1)});
  if (!history) return false;
  for (uint32_t i = 0; i < kSaves; ++i) {
    TestMemory memory = pair_memory(line(0), line(0));
    add_pair(&memory, line(1 + writer * kSaves + i), line(0));
    if (!history->save(test_command(), Project::build("1"), memory)) return false;
  }
  return true;
}

class HistoryWriters : public testing::Test {
 protected:
  HistoryWriters() { project_.write("queue.cpp", "text"); }
  ~HistoryWriters() override {
    History history = open_history(project_.history());
    EXPECT_EQ(load(history, Project::build("1")).sets.size(), 1 + kHistoryWriters * kSaves);
    EXPECT_EQ(load(history, Project::build("2")).sets.size(), 1 + kHistoryWriters * kSaves);
  }

  Project project_;
};

// The file does not exist when they begin.
TEST_F(HistoryWriters, InProcessesLoseNothing) {
  std::vector<pid_t> children;
  for (uint32_t writer = 0; writer < kHistoryWriters; ++writer) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(write_all(project_.history(), writer) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST_F(HistoryWriters, InThreadsLoseNothing) {
  std::vector<std::thread> threads;
  for (uint32_t writer = 0; writer < kHistoryWriters; ++writer)
    threads.emplace_back([&, writer] { EXPECT_TRUE(write_all(project_.history(), writer)); });
  for (std::thread& thread : threads) thread.join();
}

TEST(HistoryWriter, ThatIsKilledLeavesWhatItSaved) {
  Project project;
  project.write("queue.cpp", "text");
  int saved[2];
  ASSERT_EQ(::pipe(saved), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    History history = open_history(project.history());
    for (uint32_t i = 0;; ++i) {
      save(history, Project::build("1"), pair_memory(line(i), line(i)));
      if (i == 2 && ::write(saved[1], "x", 1) != 1) ::_exit(1);
    }
  }
  char byte = 0;
  EXPECT_EQ(::read(saved[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  History history = open_history(project.history());
  EXPECT_GE(load(history, Project::build("1")).sets.size(), 3u);
  save(history, Project::build("1"), pair_memory(line(0), line(1)));
  ::close(saved[0]);
  ::close(saved[1]);
}

}  // namespace
}  // namespace heddle
