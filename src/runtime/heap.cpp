#include "runtime/heap.h"

#include "runtime/address_space.h"
#include "runtime/recorder.h"

namespace heddle::rt {
namespace {

// glibc aligns to 16, but tcmalloc and jemalloc align blocks of up to 8 bytes to 8.
inline constexpr unsigned kGranuleBits = 3;
inline constexpr unsigned kChunkBits = 16;
inline constexpr unsigned kWords = 1u << (kChunkBits - kGranuleBits - 6);
inline constexpr unsigned kSummaryWords = kWords / 64;
inline constexpr size_t kFirstSlots = 16;
inline constexpr size_t kFirstChunks = 16;

// The starts of allocations in one chunk of memory.
struct Starts {
  uint64_t summary[kSummaryWords];  // a bit per word below that is not 0
  uint64_t words[kWords];           // a bit per granule
};

struct Chunk {
  uint64_t number;     // address >> kChunkBits; 0: unused entry
  uintptr_t reaching;  // start of the last object that reached into it from before, or 0
  Starts* starts;      // null while nothing starts in it
};

HeapObject* slots;
size_t slot_mask;
size_t slot_used;
HEDDLE_EXECUTION uint64_t next_number;

Chunk* chunks;
size_t chunk_mask;
size_t chunk_used;

size_t hash_index(uint64_t key, size_t mask) {
  return static_cast<size_t>(key * 0x9e3779b97f4a7c15ull >> 20) & mask;
}

HeapObject* new_slots(size_t count) {
  return static_cast<HeapObject*>(own_memory(count * sizeof(HeapObject)));
}

void grow_slots() {
  HeapObject* old = slots;
  const size_t old_count = slot_mask + 1;
  slots = new_slots(old_count * 2);
  slot_mask = old_count * 2 - 1;
  for (size_t i = 0; i < old_count; ++i) {
    if (old[i].base == 0) continue;
    size_t at = hash_index(old[i].base >> kGranuleBits, slot_mask);
    while (slots[at].base != 0) at = (at + 1) & slot_mask;
    slots[at] = old[i];
  }
  drop_own_memory(old, old_count * sizeof(HeapObject));
}

Chunk* probe(Chunk* table, size_t mask, uint64_t number) {
  size_t at = hash_index(number, mask);
  while (table[at].number != number && table[at].number != 0) at = (at + 1) & mask;
  return &table[at];
}

Chunk* find_chunk(uint64_t number) {
  Chunk* chunk = probe(chunks, chunk_mask, number);
  return chunk->number != 0 ? chunk : nullptr;
}

Chunk* make_chunk(uint64_t number) {
  if (chunk_used * 2 > chunk_mask) {
    const size_t count = (chunk_mask + 1) * 2;
    auto* larger = static_cast<Chunk*>(own_memory(count * sizeof(Chunk)));
    for (size_t i = 0; i <= chunk_mask; ++i) {
      if (chunks[i].number != 0) *probe(larger, count - 1, chunks[i].number) = chunks[i];
    }
    drop_own_memory(chunks, (chunk_mask + 1) * sizeof(Chunk));
    chunks = larger;
    chunk_mask = count - 1;
  }
  Chunk* chunk = probe(chunks, chunk_mask, number);
  if (chunk->number == 0) {
    chunk->number = number;
    chunk_used++;
  }
  return chunk;
}

unsigned granule_in_chunk(uintptr_t address) {
  return static_cast<unsigned>(address >> kGranuleBits) & ((1u << (kChunkBits - kGranuleBits)) - 1);
}

void set_start(uintptr_t base) {
  Chunk* chunk = make_chunk(base >> kChunkBits);
  if (chunk->starts == nullptr) chunk->starts = static_cast<Starts*>(own_memory(sizeof(Starts)));
  const unsigned bit = granule_in_chunk(base);
  chunk->starts->words[bit / 64] |= uint64_t{1} << (bit % 64);
  chunk->starts->summary[bit / 4096] |= uint64_t{1} << (bit / 64 % 64);
}

void clear_start(uintptr_t base) {
  Starts* starts = find_chunk(base >> kChunkBits)->starts;
  const unsigned bit = granule_in_chunk(base);
  starts->words[bit / 64] &= ~(uint64_t{1} << (bit % 64));
  if (starts->words[bit / 64] == 0) starts->summary[bit / 4096] &= ~(uint64_t{1} << (bit / 64 % 64));
}

unsigned highest_bit(uint64_t word) {
  return 63 - static_cast<unsigned>(__builtin_clzll(word));
}
uint64_t up_to(unsigned bit) {
  return ~uint64_t{0} >> (63 - bit);
}

// The greatest start ≤ address within the address's chunk, or 0.
uintptr_t start_in_chunk(const Chunk& chunk, uintptr_t address) {
  if (chunk.starts == nullptr) return 0;
  const Starts& starts = *chunk.starts;
  const uintptr_t begin = static_cast<uintptr_t>(chunk.number) << kChunkBits;
  const unsigned bit = granule_in_chunk(address);
  unsigned word = bit / 64;
  uint64_t bits = starts.words[word] & up_to(bit % 64);
  if (bits == 0) {
    // The nearest word before that is not empty.
    int group = static_cast<int>(word / 64);
    uint64_t summary = starts.summary[group] & (word % 64 != 0 ? up_to(word % 64 - 1) : 0);
    while (summary == 0) {
      if (--group < 0) return 0;
      summary = starts.summary[group];
    }
    word = static_cast<unsigned>(group) * 64 + highest_bit(summary);
    bits = starts.words[word];
  }
  return begin + ((uintptr_t{word} * 64 + highest_bit(bits)) << kGranuleBits);
}

void remove(HeapObject* object) {
  clear_start(object->base);
  slot_used--;
  // Close the gap, so that later probes need no tombstones.
  size_t hole = static_cast<size_t>(object - slots);
  for (size_t at = (hole + 1) & slot_mask; slots[at].base != 0; at = (at + 1) & slot_mask) {
    const size_t home = hash_index(slots[at].base >> kGranuleBits, slot_mask);
    if (((at - home) & slot_mask) >= ((at - hole) & slot_mask)) {
      slots[hole] = slots[at];
      hole = at;
    }
  }
  slots[hole].base = 0;
}

// What used to be in the range (freed, or unmapped behind our back) loses its identity.
void forget_range(uintptr_t base, uintptr_t last) {
  for (uint64_t number = base >> kChunkBits; number <= last >> kChunkBits; ++number) {
    const Chunk* chunk = find_chunk(number);
    if (chunk == nullptr) continue;
    const uintptr_t chunk_last = ((number + 1) << kChunkBits) - 1;
    const uintptr_t from = last < chunk_last ? last : chunk_last;
    for (uintptr_t start = start_in_chunk(*chunk, from); start != 0 && start >= base;
         start = start_in_chunk(*chunk, from)) {
      remove(heap_find_start(start));
    }
  }
}

HeapObject* containing(uintptr_t start, uintptr_t address) {
  HeapObject* object = start != 0 ? heap_find_start(start) : nullptr;
  if (object == nullptr) return nullptr;
  const uint64_t size = object->size != 0 ? object->size : 1;  // malloc(0) has an address of its own
  return address - object->base < size ? object : nullptr;
}

}  // namespace

void heap_init() {
  slots = new_slots(kFirstSlots);
  slot_mask = kFirstSlots - 1;
  chunks = static_cast<Chunk*>(own_memory(kFirstChunks * sizeof(Chunk)));
  chunk_mask = kFirstChunks - 1;
}

HeapObject* heap_add(uintptr_t base, size_t size, trace::ObjectKind kind, uintptr_t pc) {
  const uintptr_t last = base + (size != 0 ? size - 1 : 0);
  forget_range(base, last);
  set_start(base);
  for (uint64_t number = (base >> kChunkBits) + 1; number <= last >> kChunkBits; ++number) {
    make_chunk(number)->reaching = base;
  }
  if (slot_used * 2 > slot_mask) grow_slots();
  size_t at = hash_index(base >> kGranuleBits, slot_mask);
  while (slots[at].base != 0) at = (at + 1) & slot_mask;
  slot_used++;
  slots[at] = {base, size, allocation_key(pc), ++next_number, pc, recorded_context(), 0, rt.execution, 0,
               kind, false};
  return &slots[at];
}

HeapObject* heap_find_start(uintptr_t base) {
  for (size_t at = hash_index(base >> kGranuleBits, slot_mask); slots[at].base != 0;
       at = (at + 1) & slot_mask) {
    if (slots[at].base == base) return &slots[at];
  }
  return nullptr;
}

void heap_for_each(void (*visit)(const HeapObject&)) {
  for (size_t i = 0; i <= slot_mask; ++i) {
    if (slots[i].base != 0) visit(slots[i]);
  }
}

HeapObject* heap_find(uintptr_t address) {
  const Chunk* chunk = find_chunk(address >> kChunkBits);
  if (chunk == nullptr) return nullptr;
  if (HeapObject* object = containing(start_in_chunk(*chunk, address), address)) return object;
  return containing(chunk->reaching, address);
}

}  // namespace heddle::rt
