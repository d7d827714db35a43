// expect: deadlock
//
// Deadlock, after Mozilla's nsFileTransport: the transport tells its listener about data while it holds its
// own lock, and the listener cancels the transport while it holds its own.
#include <algorithm>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

#include "../subject.h"

namespace {

class Transport;

class Listener {
 public:
  void on_data(size_t bytes) {
    std::lock_guard lock(mutex_);
    received_ += bytes;
  }
  void stop(Transport& transport);
  size_t received() {
    std::lock_guard lock(mutex_);
    return received_;
  }

 private:
  std::mutex mutex_;
  size_t received_ = 0;
  bool stopped_ = false;
};

class Transport {
 public:
  Transport(Listener& listener, std::string content) : listener_(listener), content_(std::move(content)) {}

  // False when nothing is left.
  bool read_some() {
    std::unique_lock lock(mutex_);
    if (cancelled_ || position_ == content_.size()) return false;
    const size_t bytes = std::min<size_t>(4, content_.size() - position_);
    position_ += bytes;
    if (subject::fixed) lock.unlock();
    listener_.on_data(bytes);
    return true;
  }

  void cancel() {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
  }

 private:
  Listener& listener_;
  const std::string content_;
  std::mutex mutex_;
  size_t position_ = 0;
  bool cancelled_ = false;
};

void Listener::stop(Transport& transport) {
  std::lock_guard lock(mutex_);
  if (stopped_) return;
  stopped_ = true;
  transport.cancel();
}

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Listener listener;
  Transport transport(listener, "ten bytes.");
  std::thread io([&transport] {
    while (transport.read_some()) {
    }
  });
  std::thread user([&] { listener.stop(transport); });
  io.join();
  user.join();
  assert(listener.received() <= 10);
}
