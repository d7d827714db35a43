// One writes and closes early, two read to the end when they have served others: every letter is read and
// stamped once, and everybody goes home. All of them have to do with parcels and moved people, too.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <latch>
#include <memory>
#include <optional>
#include <thread>

#include "closing_mailbox.h"
#include "post_office.h"

namespace {

constexpr int kRounds = 7;
constexpr int kPostage = 6000;

struct PostOffice {
  mail::ClosingMailbox mailbox;
  mail::Shelves shelves;
  mail::Forwarding forwarding;
  std::latch is_written{1};
};

void serve(PostOffice& office, int counter) {
  for (int round = 0; round < kRounds; ++round) {
    const int shelf = office.shelves.store(counter);
    assert(shelf >= 0);
    office.forwarding.set(counter, 100 + round);
    assert(office.shelves.free() < mail::Shelves::kShelves);
    assert(office.forwarding.look_up(counter) == 100 + round);
    assert(mail::fewest_stamps(kPostage + round) > 0);
    assert(office.shelves.fetch(shelf) == counter);
    office.forwarding.set(counter, 200);
    assert(office.forwarding.size() >= 1);
    assert(office.shelves.stored() > round);
    assert(office.forwarding.cancel(counter));
  }
}

void write(PostOffice& office) {
  assert(office.mailbox.put(4));
  office.is_written.count_down();
  office.mailbox.close();
  assert(!office.mailbox.put(16));
}

int read(PostOffice& office, int counter) {
  serve(office, counter);
  int sum = office.mailbox.try_take().value_or(0);
  while (const std::optional<int> letter = office.mailbox.take()) {
    assert(mail::fewest_stamps(kPostage + *letter) > 0);
    sum += *letter;
  }
  return sum;
}

void watch(PostOffice& office) {
  const std::size_t taken = office.mailbox.taken();
  assert(office.mailbox.size() <= 3);
  serve(office, 4);
  assert(office.mailbox.taken() >= taken);
  assert(office.mailbox.size() <= 3);
  assert(office.mailbox.taken() <= 3);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<PostOffice>();
  PostOffice& office = *owner;
  int sums[2] = {};
  assert(office.mailbox.put_all({1, 2}));

  std::thread writer([&] { write(office); });
  std::thread watcher([&] { watch(office); });
  serve(office, 1);
  office.is_written.wait();
  std::thread first([&] { sums[0] = read(office, 2); });
  serve(office, 1);
  std::thread second([&] { sums[1] = read(office, 3); });
  writer.join();
  watcher.join();
  first.join();
  second.join();

  assert(sums[0] + sums[1] == 7);
  assert(office.mailbox.taken() == 3);
  assert(office.mailbox.size() == 0);
  assert(office.shelves.free() == mail::Shelves::kShelves);
  assert(office.forwarding.size() == 0);
}
