// expect: misuse
// message: cancelled thread
// catch (...) without rethrowing ends the unwinding of a cancelled thread, which must not be.
#include <pthread.h>
#include <unistd.h>

namespace {
void* work(void*) {
  try {
    for (;;) sleep(1);
  } catch (...) {
  }
  return nullptr;
}
}  // namespace

int main() {
  pthread_t worker;
  pthread_create(&worker, nullptr, work, nullptr);
  pthread_cancel(worker);
  pthread_join(worker, nullptr);
}
