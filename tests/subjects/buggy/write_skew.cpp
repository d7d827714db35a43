// expect: detect none
// expect: predict atomicity harmful in rank_of, rank_above
// Two replicas take ranks: each one reads the other's and takes the next higher one, a critical section for
// each access.
// Heddle: not serializable. Each reads what the other writes and both writes go elsewhere, so nothing is
// overwritten.
// Passes: under the default schedule, where the second replica sees the rank of the first.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Ranks {
  std::mutex mutex;
  int of[2] = {0, 0};
};

Ranks ranks;

int rank_of(int replica) {
  std::lock_guard lock(ranks.mutex);
  return ranks.of[replica];
}

void rank_above(int self, int other) {
  const int rank = rank_of(other) + 1;
  std::lock_guard lock(ranks.mutex);
  ranks.of[self] = rank;
}

int main() {
  std::thread first(rank_above, 0, 1);
  std::thread second(rank_above, 1, 0);
  first.join();
  second.join();
  assert(ranks.of[0] != ranks.of[1]);
  std::printf("%d\n", ranks.of[0] + ranks.of[1]);
}
