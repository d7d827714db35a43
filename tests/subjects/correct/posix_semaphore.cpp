// Two threads take turns with POSIX semaphores, each posting to the other.
// Alarms: the text has no lock; the order is in who posts and who waits.
// Right: a post comes before the wait that it ends.
#include <semaphore.h>

#include <cstdio>
#include <thread>

sem_t ping;
sem_t pong;
char text[7];
int length = 0;

void play(sem_t* mine, sem_t* other, char letter) {
  for (int round = 0; round < 3; ++round) {
    while (sem_wait(mine) != 0) {
    }
    text[length++] = letter;
    sem_post(other);
  }
}

int main() {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  std::thread first(play, &ping, &pong, 'a');
  std::thread second(play, &pong, &ping, 'b');
  first.join();
  second.join();
  std::printf("%s\n", text);
  sem_destroy(&ping);
  sem_destroy(&pong);
}
