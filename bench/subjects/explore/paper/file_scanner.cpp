// expect: lost-wakeup
//
// A parallel file scanner that hangs, after the order violation on `aworkers` in pfscan. How many workers are
// active is set only when main begins to wait for them: one that has found the queue closed by then subtracts
// itself from the initial zero, and the count that main waits for does not come down to zero again.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

constexpr int kWorkers = 2;

struct File {
  std::string path;
  std::string content;
};

class FileQueue {
 public:
  void push(File file) {
    std::lock_guard lock(mutex_);
    files_.push_back(std::move(file));
    changed_.notify_one();
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  // Nothing once the queue is closed and empty.
  std::optional<File> pop() {
    std::unique_lock lock(mutex_);
    while (files_.empty() && !closed_) changed_.wait(lock);
    if (files_.empty()) return std::nullopt;
    File file = std::move(files_.front());
    files_.pop_front();
    return file;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<File> files_;
  bool closed_ = false;
};

class Scanner {
 public:
  Scanner(FileQueue& queue, std::string pattern) : queue_(queue), pattern_(std::move(pattern)) {}

  void start() {
    if (subject::fixed) active_ = kWorkers;
    for (int i = 0; i < kWorkers; ++i) workers_.emplace_back([this] { work(); });
  }

  // Waits until every file has been scanned; the paths of those with a match.
  std::vector<std::string> finish() {
    queue_.close();
    {
      std::unique_lock lock(mutex_);
      if (!subject::fixed) active_ = kWorkers;
      while (active_ > 0) idle_.wait(lock);
    }
    for (std::thread& worker : workers_) worker.join();
    return matches_;
  }

 private:
  void work() {
    while (const std::optional<File> file = queue_.pop()) {
      if (file->content.find(pattern_) == std::string::npos) continue;
      std::lock_guard lock(mutex_);
      matches_.push_back(file->path);
    }
    std::lock_guard lock(mutex_);
    if (--active_ == 0) idle_.notify_one();
  }

  FileQueue& queue_;
  const std::string pattern_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int active_ = 0;
  std::vector<std::string> matches_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  FileQueue queue;
  Scanner scanner(queue, "needle");
  scanner.start();
  queue.push({"src/main.c", "int main(void) { return scan(); }"});
  queue.push({"src/scan.c", "int scan(void) { return find(\"needle\"); }"});
  const std::vector<std::string> matches = scanner.finish();
  assert(matches == std::vector<std::string>{"src/scan.c"});
}
