// expect: lost-wakeup
//
// Order violation, after the asynchronous reads of Mozilla's macio: a request is marked as pending after it
// has been handed to the device. If the device is done by then, nobody will ever unmark it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "../subject.h"

namespace {

class Request {
 public:
  void mark_pending() {
    std::lock_guard lock(mutex_);
    pending_ = true;
  }

  void complete(int bytes) {
    std::lock_guard lock(mutex_);
    bytes_ = bytes;
    pending_ = false;
    completed_.notify_one();
  }

  int wait() {
    std::unique_lock lock(mutex_);
    while (pending_) completed_.wait(lock);
    return bytes_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable completed_;
  bool pending_ = false;
  int bytes_ = 0;
};

// Takes one request at a time.
class Device {
 public:
  void hand_over(Request& request) {
    std::lock_guard lock(mutex_);
    next_ = &request;
    arrived_.notify_one();
  }

  void serve(int requests) {
    for (int i = 0; i < requests; ++i) {
      Request* request = nullptr;
      {
        std::unique_lock lock(mutex_);
        while (next_ == nullptr) arrived_.wait(lock);
        request = std::exchange(next_, nullptr);
      }
      request->complete(512);
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  Request* next_ = nullptr;
};

int read_block(Device& device) {
  Request request;
  if (subject::fixed) request.mark_pending();
  device.hand_over(request);
  if (!subject::fixed) request.mark_pending();
  return request.wait();
}

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Device device;
  std::thread interrupts([&device] { device.serve(2); });
  for (int block = 0; block < 2; ++block) assert(read_block(device) == 512);
  interrupts.join();
}
