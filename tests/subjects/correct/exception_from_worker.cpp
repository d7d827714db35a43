// A worker's exception travels to the thread that waits for it, and is rethrown there.
// Alarms: the exception is thrown and filled by one thread and read and freed by another.
// Right: the mutex that hands it over orders the two; the worker keeps no reference.
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
std::exception_ptr failure;

void work(int divisor) {
  try {
    if (divisor == 0) throw std::domain_error("division by zero");
  } catch (...) {
    std::exception_ptr caught = std::current_exception();
    std::lock_guard lock(mutex);
    failure = std::move(caught);
    arrived.notify_one();
  }
}

int main() {
  std::thread worker(work, 0);
  std::exception_ptr received;
  {
    std::unique_lock lock(mutex);
    arrived.wait(lock, [] { return failure != nullptr; });
    received = std::move(failure);
  }
  try {
    std::rethrow_exception(std::move(received));
  } catch (const std::domain_error& error) {
    std::printf("caught: %s\n", error.what());
  }
  worker.join();
}
