// expect: ok
// steps: 100
// A flag under a pthread spin lock.
#include <pthread.h>

#include "handover.h"

pthread_spinlock_t lock;
bool full;

int main() {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  hand_over(
      [] {
        fill();
        pthread_spin_lock(&lock);
        full = true;
        pthread_spin_unlock(&lock);
      },
      [] {
        pthread_spin_lock(&lock);
        const bool ready = full;
        pthread_spin_unlock(&lock);
        if (ready) check();
      });
}
