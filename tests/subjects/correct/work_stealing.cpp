// A deque from whose one end its owner takes, and from whose other end a thief steals, without locks.
// Alarms: the two ends are kept apart by sequentially consistent operations and by an exchange in the last
// case.
// Right: every task has one taker: for the last one both must win the exchange of the top.
#include <atomic>
#include <cstdio>
#include <thread>

int tasks[3];
std::atomic<int> top{0};
std::atomic<int> bottom{0};
int done[2];

void push(int task) {
  const int end = bottom.load(std::memory_order_relaxed);
  tasks[end] = task;
  bottom.store(end + 1, std::memory_order_release);
}

int take() {
  const int end = bottom.load(std::memory_order_relaxed) - 1;
  bottom.store(end, std::memory_order_seq_cst);
  int start = top.load(std::memory_order_seq_cst);
  int task = start <= end ? tasks[end] : 0;
  if (start < end) return task;
  if (start == end && !top.compare_exchange_strong(start, start + 1)) task = 0;
  bottom.store(end + 1, std::memory_order_relaxed);
  return task;
}

int steal() {
  int start = top.load(std::memory_order_seq_cst);
  const int end = bottom.load(std::memory_order_seq_cst);
  if (start >= end) return 0;
  const int task = tasks[start];
  return top.compare_exchange_strong(start, start + 1) ? task : 0;
}

int main() {
  push(1), push(20), push(300);
  std::thread thief([] {
    for (int tries = 0; tries < 2; ++tries) done[1] += steal();
  });
  for (int i = 0; i < 3; ++i) done[0] += take();
  thief.join();
  std::printf("%d\n", done[0] + done[1] + take());
}
