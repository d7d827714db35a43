// expect: livelock
// Two threads put back a token each and then take one. An update is lost: one token for two takers, and the
// second re-reads a value that nobody is left to change.
#include <atomic>
#include <thread>

std::atomic<int> tokens = 0;

void give() {
  tokens.store(tokens.load() + 1);
}

void take() {
  int seen = tokens.load();
  while (seen == 0 || !tokens.compare_exchange_weak(seen, seen - 1)) seen = tokens.load();
}

void give_and_take() {
  give();
  take();
}

int main() {
  std::thread first(give_and_take);
  std::thread second(give_and_take);
  first.join();
  second.join();
}
