// expect: deadlock
// The early return keeps the spin lock; it is taken only by a withdrawal that comes before the deposit.
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int balance;

static void* deposit(void* argument) {
  pthread_spin_lock(&lock);
  balance += 10;
  pthread_spin_unlock(&lock);
  return argument;
}

static void* withdraw(void* argument) {
  pthread_spin_lock(&lock);
  if (balance < 10) return NULL;
  balance -= 10;
  pthread_spin_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&threads[0], NULL, deposit, NULL);
  pthread_create(&threads[1], NULL, withdraw, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
