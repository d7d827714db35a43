#include "runtime/quarantine.h"

#include "runtime/address_space.h"

namespace heddle::rt {
namespace {

// Few enough to stay in the processor's cache.
inline constexpr size_t kBlocks = 2048;
inline constexpr size_t kLargest = 64 * 1024;
inline constexpr size_t kBytes = 256 * 1024;
static_assert(kLargest <= kBytes);

struct Kept {
  void* block;
  size_t size;
};
LazyArray<Kept, kBlocks> kept;  // a ring
size_t kept_first;
size_t kept_count;
size_t kept_bytes;

Kept take_oldest() {
  const Kept oldest = kept[kept_first];
  kept_first = (kept_first + 1) % kBlocks;
  kept_count--;
  kept_bytes -= oldest.size;
  return oldest;
}

}  // namespace

void quarantine(void* block, size_t size, void (*free)(void*)) {
  if (size > kLargest) return free(block);
  while (kept_count == kBlocks || kept_bytes + size > kBytes) free(take_oldest().block);
  kept[(kept_first + kept_count++) % kBlocks] = {block, size};
  kept_bytes += size;
}

}  // namespace heddle::rt
