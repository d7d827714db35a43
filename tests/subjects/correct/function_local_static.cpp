// A registry that is a static variable of a function, made by whoever comes first.
// Alarms: its construction by one thread and the use by the other have no lock in common; the guard is the
// compiler's.
// Right: the language promises that the others wait until it is made.
#include <cstdio>
#include <thread>
#include <vector>

class Registry {
 public:
  static const Registry& instance() {
    static const Registry registry;
    return registry;
  }
  int find(size_t index) const { return entries_[index]; }

 private:
  Registry() {
    for (int i = 0; i < 4; ++i) entries_.push_back(i * 11);
  }
  std::vector<int> entries_;
};

int found[2];

int main() {
  std::thread first([] { found[0] = Registry::instance().find(1); });
  std::thread second([] { found[1] = Registry::instance().find(3); });
  first.join();
  second.join();
  std::printf("%d %d\n", found[0], found[1]);
}
