// Buffers that go around: taken from a pool under a lock, filled without one, and returned under it.
// Alarms: the buffers are written without a lock, by one thread after the other.
// Right: a buffer belongs to the thread that took it; the pool's lock orders its owners.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

struct Buffer {
  int bytes = 0;
  int uses = 0;
};

class Pool {
 public:
  Pool() : free_{&first_} {}
  Buffer* take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    Buffer* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(Buffer* buffer) {
    std::lock_guard lock(mutex_);
    free_.push_back(buffer);
  }
  const Buffer& only_one() const { return first_; }

 private:
  std::mutex mutex_;
  Buffer first_;
  std::vector<Buffer*> free_;
};

Pool pool;

void send(int bytes) {
  Buffer* buffer = pool.take();
  while (buffer == nullptr) {
    std::this_thread::yield();
    buffer = pool.take();
  }
  buffer->bytes += bytes;
  buffer->uses += 1;
  pool.give_back(buffer);
}

int main() {
  std::thread one(send, 100);
  std::thread other(send, 20);
  one.join();
  other.join();
  std::printf("%d bytes, %d uses\n", pool.only_one().bytes, pool.only_one().uses);
}
