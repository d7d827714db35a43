// expect: assertion
//
// Atomicity violation, after MySQL's binary log: a session looks whether the log is open before it writes to
// it, and rotation closes and opens the log in two steps. A statement committed in between is missing from
// every log.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

class BinaryLog {
 public:
  void write(int statement) {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (subject::fixed) lock.lock();
    if (!open_.load()) return;
    if (!subject::fixed) lock.lock();
    files_.back().push_back(statement);
  }

  void rotate() {
    std::unique_lock lock(mutex_);
    open_.store(false);
    if (!subject::fixed) {
      lock.unlock();
      lock.lock();
    }
    files_.emplace_back();
    open_.store(true);
  }

  size_t statements() const {
    size_t count = 0;
    for (const std::vector<int>& file : files_) count += file.size();
    return count;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> open_ = true;
  std::vector<std::vector<int>> files_{1};
};

class Table {
 public:
  void insert(int row) {
    std::lock_guard lock(mutex_);
    rows_.push_back(row);
  }
  size_t size() const { return rows_.size(); }

 private:
  std::mutex mutex_;
  std::vector<int> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  BinaryLog log;
  Table table;
  const auto session = [&](int first) {
    for (int row = first; row < first + 2; ++row) {
      table.insert(row);
      log.write(row);
    }
  };
  std::thread one(session, 0);
  std::thread two(session, 10);
  std::thread flush([&log] { log.rotate(); });
  one.join();
  two.join();
  flush.join();
  assert(log.statements() == table.size());
}
