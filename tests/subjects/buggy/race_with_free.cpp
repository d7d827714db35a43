// expect: detect race|use-after-free any in show, retire
// expect: predict race|use-after-free harmful in show, retire
// One thread frees a session that another one may be using; nothing orders the two.
// Heddle: a race of the read with the `delete`.
// Passes: under the default schedule, in which the user comes first.
#include <cstdio>
#include <cstdlib>
#include <thread>

struct Session {
  int user = 12;
};

Session* session = new Session;

void show() {
  const int user = session->user;
  if (user != 12) std::abort();
}

void retire() {
  delete session;
}

int main() {
  std::thread user(show);
  std::thread cleaner(retire);
  user.join();
  cleaner.join();
  std::printf("done\n");
}
