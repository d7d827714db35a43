// expect: ok
// An exception in the initialiser of a local static gives the next one a try, while others wait.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> attempts = 0;

struct Connection {
  int number;
  Connection() : number(attempts.fetch_add(1) + 1) {
    if (number == 1) throw number;
  }
};

int connect() {
  for (;;) {
    try {
      static Connection connection;
      return connection.number;
    } catch (int) {
    }
  }
}

int main() {
  std::thread other([] { assert(connect() == 2); });
  assert(connect() == 2);
  other.join();
}
