// expect: ok
// steps: 100
// A semaphore that is posted once.
#include <semaphore.h>

#include "handover.h"

sem_t full;

int main() {
  sem_init(&full, 0, 0);
  hand_over(
      [] {
        fill();
        sem_post(&full);
      },
      [] {
        sem_wait(&full);
        check();
      });
}
