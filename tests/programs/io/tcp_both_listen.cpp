// expect: deadlock
// executions: 1
// Both ends of a TCP connection are held by this process and both read: nothing can come from outside.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <thread>

int main() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 2;
  socklen_t size = sizeof address;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  if (listen(listener, 1) != 0) return 2;
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 2;
  const int server = accept(listener, nullptr, nullptr);
  close(listener);
  const auto listen_first = [](int end) {
    char letter;
    return read(end, &letter, 1);
  };
  std::thread one([&] { listen_first(client); });
  std::thread two([&] { listen_first(server); });
  one.join();
  two.join();
}
