// expect: assertion
// message: window.is_open
// A switch directly at sem_wait with a permit left.
#include <semaphore.h>

#include "window.h"

sem_t semaphore;

void operate() {
  window.open();
  sem_wait(&semaphore);
  window.close();
}

int main() {
  sem_init(&semaphore, 0, 1);
  watch(operate);
}
