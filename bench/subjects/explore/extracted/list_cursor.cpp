// expect: exception
//
// Atomicity violation, after the item seeking of a Mozilla tree view: whether the row exists is asked under
// the lock, and the row fetched under the next hold of it. A row removed in between is an uncaught
// std::out_of_range.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

class Rows {
 public:
  explicit Rows(std::vector<std::string> titles) : titles_(std::move(titles)) {}

  // The title of a row, or that of the last one.
  std::string seek(size_t row) {
    std::unique_lock lock(mutex_);
    if (row >= titles_.size()) row = titles_.size() - 1;
    if (!subject::fixed) {
      lock.unlock();
      lock.lock();
    }
    return titles_.at(row);
  }

  void remove_last() {
    std::lock_guard lock(mutex_);
    if (titles_.size() > 1) titles_.pop_back();
  }

  void add(std::string title) {
    std::lock_guard lock(mutex_);
    titles_.push_back(std::move(title));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> titles_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Rows rows({"inbox", "drafts"});
  std::thread view([&rows] {
    assert(!rows.seek(2).empty());
  });
  std::thread model([&rows] {
    rows.add("sent");
    rows.remove_last();
    rows.remove_last();
  });
  view.join();
  model.join();
}
