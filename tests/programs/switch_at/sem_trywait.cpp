// expect: assertion
// message: window.is_open
// A switch directly at sem_trywait.
#include <semaphore.h>

#include "window.h"

sem_t semaphore;

void operate() {
  window.open();
  sem_trywait(&semaphore);
  window.close();
}

int main() {
  sem_init(&semaphore, 0, 1);
  watch(operate);
}
