// Two threads rethrow one exception, look at it and let it go; the last one frees it.
// Alarms: the reference count of exceptions is inside the C++ library, where no instrumentation sees it, so
// reading the exception in one thread and its destruction in the other look unordered.
// Right: the library counts references atomically, with the order that the last one needs.
#include <atomic>
#include <cstdio>
#include <exception>
#include <thread>

struct Refusal {
  explicit Refusal(int reason) : reason(reason) {}
  ~Refusal() { reason = 0; }
  int reason;
};

std::atomic<int> sum{0};

void handle(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const Refusal& refusal) {
    sum.fetch_add(refusal.reason, std::memory_order_relaxed);
  }
}

int main() {
  std::exception_ptr failure;
  try {
    throw Refusal(21);
  } catch (...) {
    failure = std::current_exception();
  }
  std::thread first(handle, failure);
  std::thread second(handle, std::move(failure));
  failure = nullptr;
  first.join();
  second.join();
  std::printf("%d\n", sum.load());
}
