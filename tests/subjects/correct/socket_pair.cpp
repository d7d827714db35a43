// A request and its answer go through a socket pair; both sides work on one plain object, in turn.
// Alarms: the object is written by two threads, and no lock or atomic orders them.
// Right: a byte is received after it was sent.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

struct Exchange {
  int request = 0;
  int answer = 0;
};

Exchange shared;
int sockets[2];

void serve() {
  char signal = 0;
  if (recv(sockets[1], &signal, 1, 0) != 1) return;
  shared.answer = shared.request * 2;
  if (send(sockets[1], &signal, 1, 0) != 1) return;
}

int main() {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 1;
  std::thread server(serve);
  char signal = 'x';
  shared.request = 23;
  if (send(sockets[0], &signal, 1, 0) != 1) return 1;
  if (recv(sockets[0], &signal, 1, 0) != 1) return 1;
  shared.request = shared.answer + 1;
  std::printf("%d\n", shared.request);
  server.join();
  close(sockets[0]);
  close(sockets[1]);
}
