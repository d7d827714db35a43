// Frees small blocks, then many large ones, and exits with the megabytes that the allocator still has in use.
#include <malloc.h>

#include <cstdlib>
#include <vector>

int main() {
  std::vector<void*> small(2100);
  for (void*& block : small) block = std::malloc(16);
  for (void* block : small) std::free(block);
  for (int i = 0; i < 1000; ++i) {
    void* volatile large = std::malloc(60000);
    std::free(large);
  }
  return static_cast<int>(mallinfo2().uordblks >> 20);
}
