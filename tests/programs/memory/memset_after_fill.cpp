// expect: assertion
// message: page[17] == 'x'
// A buffer is cleared with memset after it was handed out: the writer's byte is gone.
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

// Not constant, so that no compiler expands memset inline: gcc does so behind its instrumentation's back.
volatile size_t page_size = 256;

int main() {
  const size_t size = page_size;
  char* page = static_cast<char*>(std::malloc(size));
  std::thread writer([page] { page[17] = 'x'; });
  std::memset(page, 0, size);
  writer.join();
  assert(page[17] == 'x');
  std::memmove(page, page + 16, size - 16);
  assert(page[1] == 'x');
  std::free(page);
}
