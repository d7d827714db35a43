// expect: ok
// Cancellation unwinds C++ frames at every kind of wait: sleep, read, join, semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include <cassert>

namespace {

int ends[2];
sem_t semaphore;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int destroyed;

struct Guard {
  ~Guard() {
    pthread_mutex_lock(&mutex);
    ++destroyed;
    pthread_mutex_unlock(&mutex);
  }
};

void* in_sleep(void*) {
  Guard guard;
  for (;;) sleep(3600);
}
void* in_read(void*) {
  Guard guard;
  char letter;
  for (;;) assert(read(ends[0], &letter, 1) == 1);
}
void* in_semaphore(void*) {
  Guard guard;
  for (;;) sem_wait(&semaphore);
}

}  // namespace

int main() {
  assert(pipe(ends) == 0);
  sem_init(&semaphore, 0, 0);
  void* (*const bodies[])(void*) = {in_sleep, in_read, in_semaphore};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], nullptr, bodies[i], nullptr);
  for (const pthread_t thread : threads) {
    void* result = nullptr;
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0);
    assert(result == PTHREAD_CANCELED);
  }
  // A thread cancelled before it began has no guard yet.
  assert(destroyed == 3);
}
