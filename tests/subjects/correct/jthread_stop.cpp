// A jthread that works until it is told to stop; a callback leaves a note when that happens.
// Alarms: the stop state is shared through atomics in a header, and the callback runs in the requesting
// thread.
// Right: whoever sees the request has acquired what came before it; the callback ends before the state does.
#include <atomic>
#include <cstdio>
#include <stop_token>
#include <thread>

int reason = 0;
int seen = 0;
std::atomic<int> notes{0};

void work(std::stop_token stop) {
  const std::stop_callback note(stop, [] { ++notes; });
  while (!stop.stop_requested()) std::this_thread::yield();
  seen = reason;
}

int main() {
  {
    std::jthread worker(work);
    reason = 9;
    worker.request_stop();
  }
  std::printf("%d, %d note\n", seen, notes.load());
}
