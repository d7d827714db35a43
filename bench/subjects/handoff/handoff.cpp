// Two threads that alternate COUNT times: what a context switch costs.
//
//   handoff yield COUNT   each calls sched_yield; under heddle's round-robin policy every call is a switch
//   handoff cond COUNT    each waits for its turn on a condition variable: what a hand-off costs the kernel
#include <sched.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

void yield_often(long count) {
  for (long i = 0; i < count; ++i) sched_yield();
}

class Turn {
 public:
  void take(int me, long count) {
    std::unique_lock lock(mutex_);
    for (long i = 0; i < count; ++i) {
      changed_.wait(lock, [&] { return whose_ == me; });
      whose_ = 1 - me;
      changed_.notify_one();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int whose_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool by_yield = argc == 3 && std::strcmp(argv[1], "yield") == 0;
  const bool by_cond = argc == 3 && std::strcmp(argv[1], "cond") == 0;
  if (!by_yield && !by_cond) {
    std::fprintf(stderr, "usage: handoff yield|cond COUNT\n");
    return 2;
  }
  const long count = std::atol(argv[2]) / 2;
  Turn turn;
  auto alternate = [&](int me) { by_yield ? yield_often(count) : turn.take(me, count); };
  std::thread first(alternate, 0);
  std::thread second(alternate, 1);
  first.join();
  second.join();
}
