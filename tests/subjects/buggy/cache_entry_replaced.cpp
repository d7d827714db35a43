// expect: detect none
// expect: predict atomicity harmful in Cache::get, Cache::store
// A cache looks whether an entry is there, lets go of the lock, makes the entry, and puts it in.
// Heddle: an entry that somebody else puts in meanwhile is replaced by the default.
// Passes: under the default schedule, where the entry is put in last and stays.
#include <array>
#include <cstdio>
#include <mutex>
#include <thread>

struct Entry {
  bool present = false;
  int value = 0;
};

class Cache {
 public:
  int get(int key) {
    {
      std::lock_guard lock(mutex_);
      if (entries_[key].present) return entries_[key].value;
    }
    const int made = key * 10;
    store(key, made);
    return made;
  }
  void put(int key, int value) { store(key, value); }

 private:
  void store(int key, int value) {
    std::lock_guard lock(mutex_);
    entries_[key].value = value;
    entries_[key].present = true;
  }

  std::mutex mutex_;
  std::array<Entry, 8> entries_;
};

int main() {
  Cache cache;
  std::thread reader([&] { cache.get(3); });
  std::thread writer([&] { cache.put(3, 99); });
  reader.join();
  writer.join();
  std::printf("%d\n", cache.get(3));
}
