// expect: assertion
// message: port == 8082
// A lost update of a 16-bit member of a heap object.
#include <cassert>
#include <cstdint>
#include <memory>
#include <thread>

struct Endpoint {
  uint8_t version = 4;
  uint8_t flags = 0;
  uint16_t port = 8080;
};

int main() {
  auto endpoint = std::make_unique<Endpoint>();
  std::thread first([&] { endpoint->port += 1; });
  std::thread second([&] { endpoint->port += 1; });
  first.join();
  second.join();
  assert(endpoint->port == 8082);
}
