#include "runtime/heap.h"

#include "runtime/address_space.h"
#include "runtime/recorder.h"

namespace heddle::rt {
namespace {

// Level 0 has a bit per 16 bytes of the 47-bit address space, each level above a bit per word of the one
// below; the top level is one word. Only touched pages cost memory.
inline constexpr unsigned kGranuleBits = 4;
inline constexpr unsigned kAddressBits = 47;
inline constexpr unsigned kLevels = 8;

uint64_t* levels[kLevels];

// Few: each execution of the fork server pays for the pages it touches.
inline constexpr size_t kFirstSlots = 64;

HeapObject* slots;
size_t slot_mask;
size_t slot_used;
uint64_t next_number;

size_t slot_of(uintptr_t base) {
  return static_cast<size_t>((base >> kGranuleBits) * 0x9e3779b97f4a7c15ull >> 20) & slot_mask;
}

HeapObject* new_slots(size_t count) {
  return static_cast<HeapObject*>(own_memory(count * sizeof(HeapObject)));
}

void grow() {
  HeapObject* old = slots;
  const size_t old_count = slot_mask + 1;
  slots = new_slots(old_count * 2);
  slot_mask = old_count * 2 - 1;
  for (size_t i = 0; i < old_count; ++i) {
    if (old[i].base == 0) continue;
    size_t at = slot_of(old[i].base);
    while (slots[at].base != 0) at = (at + 1) & slot_mask;
    slots[at] = old[i];
  }
  drop_own_memory(old, old_count * sizeof(HeapObject));
}

// Writes before it reads: a page that is read first faults twice.
void set_start(uintptr_t base) {
  uint64_t bit = base >> kGranuleBits;
  for (uint64_t* level : levels) {
    const uint64_t mask = uint64_t{1} << (bit & 63);
    level[bit >> 6] |= mask;
    if (level[bit >> 6] != mask) return;  // then the levels above know already
    bit >>= 6;
  }
}

void clear_start(uintptr_t base) {
  uint64_t bit = base >> kGranuleBits;
  for (uint64_t* level : levels) {
    level[bit >> 6] &= ~(uint64_t{1} << (bit & 63));
    if (level[bit >> 6] != 0) return;
    bit >>= 6;
  }
}

unsigned highest_bit(uint64_t word) {
  return 63 - static_cast<unsigned>(__builtin_clzll(word));
}

// The greatest start ≤ `bit` (level 0), or ~0: climbs while words are empty below it, then descends.
uint64_t previous_start(uint64_t bit) {
  unsigned level = 0;
  for (;;) {
    const uint64_t word = levels[level][bit >> 6] & (~uint64_t{0} >> (63 - (bit & 63)));
    if (word != 0) {
      bit = (bit & ~uint64_t{63}) | highest_bit(word);
      break;
    }
    bit >>= 6;
    if (bit == 0) return ~uint64_t{0};
    bit--;
    if (++level == kLevels) return ~uint64_t{0};
  }
  while (level > 0) {
    level--;
    bit = (bit << 6) | highest_bit(levels[level][bit]);
  }
  return bit;
}

void remove(HeapObject* object) {
  clear_start(object->base);
  slot_used--;
  // Close the gap, so that later probes need no tombstones.
  size_t hole = static_cast<size_t>(object - slots);
  for (size_t at = (hole + 1) & slot_mask; slots[at].base != 0; at = (at + 1) & slot_mask) {
    const size_t home = slot_of(slots[at].base);
    if (((at - home) & slot_mask) >= ((at - hole) & slot_mask)) {
      slots[hole] = slots[at];
      hole = at;
    }
  }
  slots[hole].base = 0;
}

}  // namespace

void heap_init() {
  for (unsigned i = 0; i < kLevels; ++i) {
    const unsigned bits = kGranuleBits + 3 + 6 * i;  // address bits per byte of this level
    levels[i] = static_cast<uint64_t*>(own_memory(bits < kAddressBits ? size_t{1} << (kAddressBits - bits) : 8));
  }
  slots = new_slots(kFirstSlots);
  slot_mask = kFirstSlots - 1;
}

HeapObject* heap_add(uintptr_t base, size_t size, trace::ObjectKind kind, uintptr_t pc) {
  // What used to be here (freed, or unmapped behind our back) loses its identity only now.
  if (HeapObject* stale = heap_find_start(base)) remove(stale);
  set_start(base);
  for (;;) {
    const uint64_t bit = previous_start((base + (size != 0 ? size - 1 : 0)) >> kGranuleBits);
    if (bit == base >> kGranuleBits) break;
    remove(heap_find_start(bit << kGranuleBits));
  }
  if (slot_used * 2 > slot_mask) grow();
  size_t at = slot_of(base);
  while (slots[at].base != 0) at = (at + 1) & slot_mask;
  slot_used++;
  slots[at] = {base, size, allocation_key(pc), ++next_number, pc, recorded_context(), 0, kind, false};
  return &slots[at];
}

HeapObject* heap_find_start(uintptr_t base) {
  for (size_t at = slot_of(base); slots[at].base != 0; at = (at + 1) & slot_mask) {
    if (slots[at].base == base) return &slots[at];
  }
  return nullptr;
}

HeapObject* heap_find(uintptr_t address) {
  if (address >> 47 != 0) return nullptr;
  const uint64_t bit = previous_start(address >> kGranuleBits);
  if (bit == ~uint64_t{0}) return nullptr;
  HeapObject* object = heap_find_start(bit << kGranuleBits);
  return object != nullptr && address - object->base < object->size ? object : nullptr;
}

}  // namespace heddle::rt
