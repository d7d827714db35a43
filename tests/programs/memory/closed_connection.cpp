// expect: use-after-free assertion
// A reader still uses the connection that a closer deletes.
#include <cassert>
#include <thread>

constexpr unsigned kMagic = 0xc0ffee;

struct Connection {
  volatile unsigned magic = kMagic;
  unsigned bytes = 0;
  ~Connection() { magic = 0; }
};

int main() {
  auto* connection = new Connection;
  std::thread reader([connection] {
    for (int i = 0; i < 2; ++i) {
      assert(connection->magic == kMagic);
      connection->bytes += 1;
    }
  });
  std::thread closer([connection] { delete connection; });
  reader.join();
  closer.join();
}
