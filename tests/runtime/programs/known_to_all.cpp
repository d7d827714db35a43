// What one thread writes is known to all, by semaphores, when another one uses it.
#include <semaphore.h>
#include <thread>

int value;
sem_t written;
sem_t turn;

int main() {
  sem_init(&written, 0, 0);
  sem_init(&turn, 0, 0);
  std::thread writer([] {
    value = 1;
    sem_post(&written);
    sem_post(&written);
  });
  std::thread user([] {
    sem_wait(&written);
    sem_wait(&turn);
    value++;
  });
  sem_wait(&written);
  sem_post(&turn);
  user.join();
  writer.join();
}
