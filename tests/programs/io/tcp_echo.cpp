// expect: ok
// A server thread and two clients over TCP in one process.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cassert>
#include <thread>

namespace {

int listener;
sockaddr_in address{};

void serve() {
  for (int i = 0; i < 2; ++i) {
    const int connection = accept(listener, nullptr, nullptr);
    assert(connection >= 0);
    char letter = 0;
    while (read(connection, &letter, 1) == 1) {
      letter = static_cast<char>(letter + 1);
      assert(write(connection, &letter, 1) == 1);
    }
    close(connection);
  }
}

void ask(char letter) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  assert(write(connection, &letter, 1) == 1);
  char answer = 0;
  assert(read(connection, &answer, 1) == 1);
  assert(answer == letter + 1);
  close(connection);
}

}  // namespace

int main() {
  listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  socklen_t size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  assert(listen(listener, 4) == 0);
  std::thread server(serve);
  std::thread first(ask, 'a');
  std::thread second(ask, 'p');
  first.join();
  second.join();
  server.join();
  close(listener);
}
