// expect: race use-after-free
// message: free
// detect: race
// executions: 50
// Memory is freed while another thread uses it.
#include <cstdlib>
#include <thread>

int* block;
int seen;

int main() {
  block = static_cast<int*>(std::malloc(64));
  block[3] = 0;
  std::thread other([] { seen = block[3]; });
  std::free(block);
  other.join();
}
