// expect: assertion 10
// expect: assertion 100
// scale: 2 5 10 20 50 100
//
// Two-stage locking, in the shape of SCTBench's twostage programs. Writers change a document under its lock
// and its index under another, one after the other. A reader that comes between the two stages of the first
// writer, before any other has come to its second, finds a version that is not in the index.
#include <algorithm>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

class Document {
 public:
  void write(int version) {
    std::unique_lock lock(text_mutex_);
    version_ = std::max(version_, version);
    if (!subject::fixed) lock.unlock();
    const std::lock_guard index_lock(index_mutex_);
    indexed_ = true;
  }

  // Whether what can be read can also be found.
  bool consistent() {
    std::unique_lock lock(text_mutex_);
    const bool written = version_ > 0;
    if (!subject::fixed) lock.unlock();
    if (!written) return true;
    const std::lock_guard index_lock(index_mutex_);
    return indexed_;
  }

 private:
  std::mutex text_mutex_;
  int version_ = 0;
  std::mutex index_mutex_;
  bool indexed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const int writers = subject::read_count(argc, argv, 1, 1000);
  Document document;
  std::vector<std::thread> threads;
  for (int i = 1; i <= writers; ++i) {
    threads.emplace_back([&document, i] { document.write(i); });
  }
  threads.emplace_back([&document] { assert(document.consistent()); });
  for (std::thread& thread : threads) thread.join();
}
