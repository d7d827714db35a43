// expect: assertion 10
// expect: assertion 100
// scale: 2 5 10 20 50 100
//
// One window among many threads, in the shape of the reorder programs of SCTBench. Any of k resolvers may
// fill in an endpoint, each its host first and its port afterwards, and they all write the same. Whoever
// connects finds a host without a port only between the two writes of the first resolver, before any other
// has come to its second.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

class Endpoint {
 public:
  void fill_in(int host, int port) {
    if (subject::fixed) {
      port_.store(port);
      host_.store(host);
    } else {
      host_.store(host);
      port_.store(port);
    }
  }

  // Zero while the endpoint is not known.
  int port_to_connect_to() const {
    if (host_.load() == kUnknown) return 0;
    const int port = port_.load();
    assert(port != kUnknown);
    return port;
  }

 private:
  static constexpr int kUnknown = 0;
  std::atomic<int> host_ = kUnknown;
  std::atomic<int> port_ = kUnknown;
};

}  // namespace

int main(int argc, char** argv) {
  const int resolvers = subject::read_count(argc, argv, 1, 1000);
  Endpoint endpoint;
  std::vector<std::thread> threads;
  for (int i = 0; i < resolvers; ++i) {
    threads.emplace_back([&endpoint] { endpoint.fill_in(0x7f000001, 8080); });
  }
  int port = 0;
  threads.emplace_back([&] { port = endpoint.port_to_connect_to(); });
  for (std::thread& thread : threads) thread.join();
  assert(port == 0 || port == 8080);
}
