// Plain integers in a vector, updated by two threads through std::atomic_ref and read plainly afterwards.
// Alarms: the same memory is accessed atomically and not, which looks like a mix.
// Right: all accesses are atomic while there are threads, and plain ones come before or after.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

void tally(std::vector<int>& bins, int step) {
  for (size_t i = 0; i < bins.size(); ++i)
    std::atomic_ref(bins[i]).fetch_add(step, std::memory_order_relaxed);
}

int main() {
  std::vector<int> bins(3, 1);
  std::thread one([&] { tally(bins, 2); });
  std::thread other([&] { tally(bins, 4); });
  one.join();
  other.join();
  bins[0] = bins[1] + bins[2];
  std::printf("%d\n", bins[0]);
}
