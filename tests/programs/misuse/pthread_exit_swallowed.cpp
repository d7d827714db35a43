// expect: misuse
// message: catches the unwinding of pthread_exit and does not rethrow it
// A handler for everything takes the end of the thread for an error of the request.
#include <pthread.h>

#include <atomic>
#include <thread>

std::atomic<bool> is_closed = false;

void handle_request() {
  if (is_closed) pthread_exit(nullptr);
}

int main() {
  std::thread worker([] {
    try {
      handle_request();
    } catch (...) {
    }
  });
  is_closed = true;
  worker.join();
}
