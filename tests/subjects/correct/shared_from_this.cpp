// A session keeps itself alive in the callbacks that it hands to another thread; the last callback destroys
// it.
// Alarms: its members are used and destroyed by different threads, without a lock.
// Right: callbacks run one after the other in one thread, and the reference count orders the end.
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

std::vector<int> closed;

class Session : public std::enable_shared_from_this<Session> {
 public:
  ~Session() { closed.push_back(received_); }
  void listen(std::vector<std::function<void(int)>>& callbacks) {
    for (int i = 1; i <= 2; ++i)
      callbacks.push_back([self = shared_from_this(), i](int bytes) { self->received_ += i * bytes; });
  }

 private:
  int received_ = 0;
};

int main() {
  std::vector<std::function<void(int)>> callbacks;
  auto session = std::make_shared<Session>();
  session->listen(callbacks);
  std::thread dispatcher([callbacks = std::move(callbacks)]() mutable {
    for (const auto& callback : callbacks) callback(100);
    callbacks.clear();
  });
  session.reset();
  dispatcher.join();
  std::printf("%d\n", closed.at(0));
}
