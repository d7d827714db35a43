// A lock is taken by one function, moved to another, and released by a third.
// Alarms: no function both locks and unlocks, so the critical section is not where one looks for it.
// Right: the mutex is held all along the life of the unique_lock.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

class Journal {
 public:
  std::unique_lock<std::mutex> begin() { return std::unique_lock(mutex_); }
  void add(const std::unique_lock<std::mutex>&, int amount) {
    entries_ += 1;
    sum_ += amount;
  }
  void end(std::unique_lock<std::mutex> lock) {
    balanced_ = entries_ * 5 == sum_;
    lock.unlock();
  }
  bool balanced() const { return balanced_; }

 private:
  std::mutex mutex_;
  int entries_ = 0;
  int sum_ = 0;
  bool balanced_ = false;
};

Journal journal;

void book() {
  std::unique_lock lock = journal.begin();
  journal.add(lock, 3);
  journal.add(lock, 7);
  journal.end(std::move(lock));
}

int main() {
  std::thread one(book);
  std::thread other(book);
  one.join();
  other.join();
  std::printf("%d\n", journal.balanced());
}
