// expect: ok
// Polling for the end of a thread, and waiting for it with a time limit.
#include <pthread.h>

#include <cassert>
#include <cerrno>
#include <ctime>

int value = 0;

void* work(void*) {
  value = 1;
  return &value;
}

int main() {
  pthread_t worker;
  void* result = nullptr;
  pthread_create(&worker, nullptr, work, nullptr);
  while (const int error = pthread_tryjoin_np(worker, &result)) assert(error == EBUSY);
  assert(result == &value && value == 1);

  pthread_create(&worker, nullptr, work, nullptr);
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  if (pthread_timedjoin_np(worker, nullptr, &until) != 0) pthread_join(worker, nullptr);
}
