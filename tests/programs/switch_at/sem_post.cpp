// expect: assertion
// message: window.is_open
// A switch directly at sem_post that nobody waits for.
#include <semaphore.h>

#include "window.h"

sem_t semaphore;

void operate() {
  window.open();
  sem_post(&semaphore);
  window.close();
}

int main() {
  sem_init(&semaphore, 0, 0);
  watch(operate);
}
