// expect: crash
//
// Order violation, after NSPR's PR_CreateThread with its recycled threads: a thread that waits for work is
// woken with its new start function first, and entered into the table of threads afterwards. If it looks
// itself up before that, it finds a null pointer.
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../subject.h"

namespace {

struct Record {
  int work_done = 0;
};
using Body = void (*)(Record& self);

class ThreadTable {
 public:
  void enter(size_t slot, Record& record) {
    std::lock_guard lock(mutex_);
    records_[slot] = &record;
  }
  Record& find(size_t slot) {
    std::lock_guard lock(mutex_);
    return *records_[slot];
  }

 private:
  std::mutex mutex_;
  std::array<Record*, 2> records_{};
};

// A thread that waits until it is recycled, executes one body and ends.
class RecycledThread {
 public:
  RecycledThread(ThreadTable& table, size_t slot) : table_(table), slot_(slot), thread_([this] { run(); }) {}

  void recycle(Body body, Record& record) {
    if (subject::fixed) table_.enter(slot_, record);
    {
      std::lock_guard lock(mutex_);
      body_ = body;
      woken_.notify_one();
    }
    if (!subject::fixed) table_.enter(slot_, record);
  }

  void join() { thread_.join(); }

 private:
  void run() {
    {
      std::unique_lock lock(mutex_);
      while (body_ == nullptr) woken_.wait(lock);
    }
    body_(table_.find(slot_));
  }

  ThreadTable& table_;
  const size_t slot_;
  std::mutex mutex_;
  std::condition_variable woken_;
  Body body_ = nullptr;
  std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  ThreadTable table;
  RecycledThread first(table, 0);
  RecycledThread second(table, 1);
  Record records[2];
  const Body body = [](Record& self) { self.work_done += 2; };
  first.recycle(body, records[0]);
  second.recycle(body, records[1]);
  first.join();
  second.join();
  for (const Record& record : records) assert(record.work_done == 2);
}
