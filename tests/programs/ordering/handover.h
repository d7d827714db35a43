// A block that one thread fills and another one reads, with the order between the two assured by one kind of
// synchronisation. If heddle did not understand that kind, each of the accesses to the block would be a
// scheduling point, and the programs would need more steps than they state.
#pragma once

#include <thread>

inline constexpr int kLength = 400;
inline int block[kLength];

inline void fill() {
  for (int i = 0; i < kLength; ++i) block[i] = i;
}

inline void check() {
  int sum = 0;
  for (int i = 0; i < kLength; ++i) sum += block[i];
  if (sum != kLength * (kLength - 1) / 2) __builtin_abort();
}

template <typename Giver, typename Taker>
void hand_over(Giver give, Taker take) {
  std::thread giver(give);
  std::thread taker(take);
  giver.join();
  taker.join();
}
