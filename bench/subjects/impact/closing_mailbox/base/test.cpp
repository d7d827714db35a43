// One writes and closes, two read to the end: every letter arrives once, and everybody goes home.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <thread>

#include "closing_mailbox.h"

namespace {

void write(mail::ClosingMailbox& mailbox) {
  assert(mailbox.put_all({1, 2}));
  assert(mailbox.put(4));
  assert(mailbox.put(8));
  mailbox.close();
  assert(!mailbox.put(16));
}

int read(mail::ClosingMailbox& mailbox) {
  int sum = mailbox.try_take().value_or(0);
  while (const std::optional<int> letter = mailbox.take()) sum += *letter;
  return sum;
}

void watch(const mail::ClosingMailbox& mailbox) {
  const std::size_t taken = mailbox.taken();
  assert(mailbox.size() <= 4);
  assert(mailbox.taken() >= taken);
  assert(mailbox.size() <= 4);
  assert(mailbox.taken() <= 4);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<mail::ClosingMailbox>();
  mail::ClosingMailbox& mailbox = *owner;
  int sums[2] = {};

  std::thread watcher([&] { watch(mailbox); });
  std::thread writer([&] { write(mailbox); });
  std::thread first([&] { sums[0] = read(mailbox); });
  std::thread second([&] { sums[1] = read(mailbox); });
  watcher.join();
  writer.join();
  first.join();
  second.join();

  assert(sums[0] + sums[1] == 15);
  assert(mailbox.taken() == 4);
  assert(mailbox.size() == 0);
}
