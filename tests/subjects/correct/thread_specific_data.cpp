// Buffers kept under a pthread key; the key's destructor adds them to a list when their thread ends.
// Alarms: the destructors run outside of the thread's function, and the list outlives the threads.
// Right: they take the lock, and run before the thread can be joined.
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

struct Buffer {
  int used = 0;
  Buffer* next = nullptr;
};

pthread_key_t key;
std::mutex mutex;
Buffer* retired = nullptr;

extern "C" void retire(void* memory) {
  auto* buffer = static_cast<Buffer*>(memory);
  std::lock_guard lock(mutex);
  buffer->next = retired;
  retired = buffer;
}

void work(int amount) {
  pthread_setspecific(key, new Buffer);
  for (int i = 0; i < 2; ++i) static_cast<Buffer*>(pthread_getspecific(key))->used += amount;
}

int main() {
  pthread_key_create(&key, retire);
  std::thread first(work, 10);
  std::thread second(work, 1);
  first.join();
  second.join();
  int used = 0;
  while (retired != nullptr) {
    Buffer* buffer = retired;
    retired = buffer->next;
    used += buffer->used;
    delete buffer;
  }
  pthread_key_delete(key);
  std::printf("%d\n", used);
}
