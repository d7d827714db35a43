// expect: exception
// message: future_error
// A worker that sees the cancel flag drops its promise; whoever waits for the value is not prepared.
#include <atomic>
#include <future>
#include <thread>

std::atomic<bool> cancelled = false;

int main() {
  std::promise<int> promise;
  auto value = promise.get_future();
  std::jthread worker([promise = std::move(promise)]() mutable {
    if (cancelled.load()) {
      auto dropped = std::move(promise);
      return;
    }
    promise.set_value(1);
  });
  std::jthread canceller([] { cancelled.store(true); });
  value.get();
}
