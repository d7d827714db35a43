// expect: detect race any in start, use
// expect: predict race harmful in start, use
// A connection is used without waiting for it to be there; only one order of the race is harmful.
// Heddle: a race, harmful: in one of its orders a null pointer is followed.
// Passes: under the default schedule, where the connection is made first.
#include <cstdio>
#include <thread>

struct Connection {
  int number = 4;
};

Connection only_connection;
Connection* connection = nullptr;

void start() {
  connection = &only_connection;
}

void use() {
  std::printf("connection %d\n", connection->number);
}

int main() {
  std::thread starter(start);
  std::thread user(use);
  starter.join();
  user.join();
}
