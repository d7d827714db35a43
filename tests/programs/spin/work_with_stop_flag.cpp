// expect: ok
// executions: 50
// timeouts: idle
// A thread looks before each piece of work whether it shall stop. It re-reads the same flag without writing
// anything that others see, but it does not wait: a second is enough for it to finish.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
#include <vector>

enum class State { kStarting, kRunning, kStopping };
std::atomic<State> state = State::kStarting;
int done = 0;

int main() {
  constexpr int kPieces = 50;
  std::thread worker([] {
    std::vector<unsigned> data(500, 1);
    for (int piece = 0; piece < kPieces && state != State::kStopping; ++piece) {
      for (size_t i = 1; i < data.size(); ++i) data[i] += data[i - 1];
      done = piece + 1;
    }
  });
  state = State::kRunning;
  std::this_thread::sleep_for(std::chrono::seconds(1));
  state = State::kStopping;
  worker.join();
  assert(done == kPieces);
}
