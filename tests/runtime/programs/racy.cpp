// A race between two functions, each called from another one; then, if asked for, a failure of its own.
#include <cstdlib>
#include <thread>

int counter;
int seen;

__attribute__((noinline)) void write_it(int value) {
  counter = value;
}
__attribute__((noinline)) int read_it() {
  return counter;
}

int main(int count, char**) {
  std::thread writer([] { write_it(1); });
  std::thread reader([] { seen = read_it(); });
  writer.join();
  reader.join();
  if (count > 1) std::abort();
}
