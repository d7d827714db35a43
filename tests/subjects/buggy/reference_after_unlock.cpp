// expect: detect none
// expect: predict race|use-after-free harmful in Names::print_first, Names::add
// A reference to an element is found under the lock and used without it, while another thread makes the
// vector grow.
// Heddle: a race of the use with the free of the old elements, which a later critical section of the user
// masks.
// Passes: under the default schedule, where the user comes first.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class Names {
 public:
  Names() { numbers_.push_back(42); }
  void print_first() {
    const int& first = find();
    total_ = first;
    count_use();
  }
  void add() {
    std::lock_guard lock(mutex_);
    numbers_.push_back(43);
    numbers_.push_back(44);
  }
  void print() const { std::printf("%d %d\n", total_, uses_); }

 private:
  const int& find() {
    std::lock_guard lock(mutex_);
    return numbers_[0];
  }
  void count_use() {
    std::lock_guard lock(mutex_);
    ++uses_;
  }

  std::mutex mutex_;
  std::vector<int> numbers_;
  int total_ = 0;
  int uses_ = 0;
};

int main() {
  Names names;
  std::thread user([&] { names.print_first(); });
  std::thread writer([&] { names.add(); });
  user.join();
  writer.join();
  names.print();
}
