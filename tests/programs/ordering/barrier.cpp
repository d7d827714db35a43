// expect: ok
// steps: 100
// Two phases, and the roles change at the barrier.
#include <pthread.h>

#include "handover.h"

pthread_barrier_t barrier;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  hand_over(
      [] {
        fill();
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        fill();
      },
      [] {
        pthread_barrier_wait(&barrier);
        check();
        pthread_barrier_wait(&barrier);
      });
}
