// Partial sums, added up by the one thread that pthread_barrier_wait names, and read by all after a second
// wait.
// Alarms: who adds up is known at run time only, and no lock guards the sum.
// Right: every wait orders what came before it in all threads with what follows it in all threads.
#include <pthread.h>

#include <cstdio>
#include <thread>

pthread_barrier_t barrier;
int parts[3];
int sum = 0;
int shares[3];

void work(int number) {
  parts[number] = 1 << number;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) sum = parts[0] + parts[1] + parts[2];
  pthread_barrier_wait(&barrier);
  shares[number] = sum;
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  std::thread first(work, 0);
  std::thread second(work, 1);
  work(2);
  first.join();
  second.join();
  pthread_barrier_destroy(&barrier);
  std::printf("%d %d %d\n", shares[0], shares[1], shares[2]);
}
