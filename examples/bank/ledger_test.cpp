// Entries posted by two threads are all booked. Correct under every schedule.
#include <cassert>
#include <thread>

#include "ledger.h"

int main() {
  bank::Ledger ledger;
  auto post_three = [&] {
    for (int i = 1; i <= 3; ++i) ledger.post({i});
  };
  std::thread first(post_three);
  std::thread second(post_three);
  assert(ledger.turnover() <= 12);
  first.join();
  second.join();
  assert(ledger.settle() == 12);
}
