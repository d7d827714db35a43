// expect: ok
// inject: allocations:3
// executions: 200
// A new-handler that frees a reserve is called, and operator new tries again. Only when the reserve is gone
// may it throw. malloc, calloc, realloc and aligned_alloc say ENOMEM.
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

int rescues = 0;

void check(void* block) {
  if (block == nullptr) assert(errno == ENOMEM);
  std::free(block);
}

int main() {
  std::set_new_handler([] {
    if (++rescues == 3) std::set_new_handler(nullptr);
  });
  for (int i = 0; i < 5; ++i) {
    try {
      delete new int(i);
    } catch (const std::bad_alloc&) {
      assert(rescues == 3);
    }
    delete new (std::nothrow) int(i);
  }
  check(std::malloc(10));
  check(std::calloc(10, 10));
  check(std::aligned_alloc(64, 64));
  char* text = static_cast<char*>(std::malloc(4));
  if (text == nullptr) return 0;
  std::strcpy(text, "abc");
  char* longer = static_cast<char*>(std::realloc(text, 100));
  assert(std::strcmp(longer != nullptr ? longer : text, "abc") ==
         0);  // a failed realloc leaves the block alone
  std::free(longer != nullptr ? longer : text);
}
