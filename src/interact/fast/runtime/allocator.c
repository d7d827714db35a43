// The allocator of a program in its fast form. Each block ends in a guard that is looked at when it is freed,
// and when the program ends: who has written there damages the heap of any allocator, in ways that depend on
// it.
//
// All of its state is in the program's own memory, and so is what it was before main() again in the next run.
// There is one thread: a program with more of them does not live in a process with others.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interact/fast/layout.h"

extern struct HeddleFastLink heddle_fast_link;

enum {
  kAlignment = 16,
  kGuard = 16,         // bytes at least
  kMostGuard = 64,     // that are looked at
  kSmallClasses = 64,  // one for each multiple of 16, up to 1024 bytes
  kSteps = 8,          // classes of each doubling beyond that
  kDoublings = 15,
  kClasses = kSmallClasses + kDoublings * kSteps,
  kGrowth = 128 << 10,
};
// Beyond that, blocks are mapped, which takes several system calls of the host each time.
#define LARGEST (((size_t)kSmallClasses * kAlignment << kDoublings) - sizeof(struct Block) - kGuard)
#define GUARD_BYTE 0xf5
#define LIVE 0x6576696cU
#define FREED 0x65657266U
#define MAPPED 0x70616d6dU

// Before what the program gets.
struct Block {
  size_t size;  // as it was asked for
  uint32_t class_number;
  uint32_t state;  // LIVE, FREED, MAPPED: last, so that writing before a block shows
};

// In a freed block.
struct FreeBlock {
  struct Block block;
  struct FreeBlock* next;
};

static struct FreeBlock* free_blocks[kClasses];
static char* heap_begin;
static char* heap_next;
static char* heap_end;

static size_t round_up(size_t size, size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Of a block with its header and guard.
static size_t size_of_class(unsigned number) {
  if (number < kSmallClasses) return ((size_t)number + 1) * kAlignment;
  const unsigned above = number - kSmallClasses;
  const size_t base = (size_t)(kSmallClasses * kAlignment) << (above / kSteps);
  return base + base / kSteps * (above % kSteps + 1);
}

static unsigned class_of(size_t size) {
  if (size <= kSmallClasses * kAlignment) return (unsigned)((size + kAlignment - 1) / kAlignment - 1);
  const unsigned doublings = 63U - (unsigned)__builtin_clzl((size - 1) / (kSmallClasses * kAlignment));
  const size_t base = (size_t)(kSmallClasses * kAlignment) << doublings;
  return kSmallClasses + doublings * kSteps + (unsigned)((size - 1 - base) / (base / kSteps));
}

// What the program does from here on would be another thing with another allocator: the run ends, if it is
// not in a process of its own.
static void give_up(void) {
  const int error = errno;
  syscall(HEDDLE_FAST_GIVE_UP_CALL);
  errno = error;
}

static void report_damage(void) {
  struct HeddleFastFeedback* const feedback = heddle_fast_link.feedback;
  if (feedback != NULL) feedback->damages_heap = 1;
  give_up();
}

static void* start_of(struct Block* block) {
  return block + 1;
}

static struct Block* block_of(void* start) {
  return (struct Block*)start - 1;
}

static size_t guard_size(const struct Block* block) {
  size_t guard = kGuard;
  if (block->state != MAPPED) guard = size_of_class(block->class_number) - sizeof(struct Block) - block->size;
  return guard < kMostGuard ? guard : kMostGuard;
}

static void put_guard(struct Block* block) {
  memset((char*)start_of(block) + block->size, GUARD_BYTE, guard_size(block));
}

static int has_guard(const struct Block* block) {
  const unsigned char* const guard = (const unsigned char*)(block + 1) + block->size;
  const size_t size = guard_size(block);
  for (size_t i = 0; i < size; ++i) {
    if (guard[i] != GUARD_BYTE) return 0;
  }
  return 1;
}

static int is_sound(const struct Block* block) {
  if (block->state == MAPPED) return has_guard(block);
  if (block->state != LIVE || block->class_number >= kClasses) return 0;
  return block->size <= size_of_class(block->class_number) - sizeof(struct Block) - kGuard &&
         has_guard(block);
}

static struct Block* take_from_heap(size_t size) {
  if ((size_t)(heap_end - heap_next) < size) {
    const size_t more = round_up(size, kGrowth);
    char* const place = sbrk((intptr_t)more);
    if (place == (char*)-1) return NULL;
    if (place != heap_end) {
      // The program moves the end itself: what it took lies between.
      if (heap_begin != NULL) {
        give_up();
        return NULL;
      }
      heap_begin = heap_next = (char*)round_up((size_t)place, kAlignment);
    }
    heap_end = place + more;
    if ((size_t)(heap_end - heap_next) < size) return take_from_heap(size);
  }
  struct Block* const block = (struct Block*)heap_next;
  heap_next += size;
  return block;
}

static void* allocate_mapped(size_t size) {
  const size_t all = size + sizeof(struct Block) + kGuard;
  struct Block* const block = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) {
    errno = ENOMEM;
    return NULL;
  }
  block->size = size;
  block->state = MAPPED;
  put_guard(block);
  return start_of(block);
}

static void* allocate(size_t size, int* is_fresh) {
  *is_fresh = 1;
  if (size > PTRDIFF_MAX - 4096) {
    errno = ENOMEM;
    return NULL;
  }
  if (size > LARGEST) return allocate_mapped(size);
  const unsigned number = class_of(size + sizeof(struct Block) + kGuard);
  struct Block* block = &free_blocks[number]->block;
  if (block != NULL) {
    if (block->state != FREED || block->class_number != number) report_damage();
    free_blocks[number] = free_blocks[number]->next;
    *is_fresh = 0;
  } else {
    block = take_from_heap(size_of_class(number));
    if (block == NULL) {
      errno = ENOMEM;
      return NULL;
    }
  }
  block->size = size;
  block->state = LIVE;
  block->class_number = number;
  put_guard(block);
  return start_of(block);
}

void* malloc(size_t size) {
  int is_fresh;
  return allocate(size, &is_fresh);
}

void free(void* start) {
  if (start == NULL) return;
  struct Block* const block = block_of(start);
  if (!is_sound(block)) {
    report_damage();
    return;
  }
  if (block->state == MAPPED) {
    const int error = errno;
    munmap(block, block->size + sizeof(struct Block) + kGuard);
    errno = error;
    return;
  }
  struct FreeBlock* const freed = (struct FreeBlock*)block;
  block->state = FREED;
  freed->next = free_blocks[block->class_number];
  free_blocks[block->class_number] = freed;
}

void* calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  int is_fresh;
  void* const start = allocate(all, &is_fresh);
  if (start != NULL && !is_fresh) memset(start, 0, all);
  return start;
}

void* realloc(void* start, size_t size) {
  if (start == NULL) return malloc(size);
  if (size == 0) {
    free(start);
    return NULL;
  }
  struct Block* const block = block_of(start);
  if (!is_sound(block)) {
    report_damage();
    return NULL;
  }
  if (block->state == LIVE && size <= LARGEST &&
      class_of(size + sizeof(struct Block) + kGuard) == block->class_number) {
    block->size = size;
    put_guard(block);
    return start;
  }
  void* const moved = malloc(size);
  if (moved == NULL) return NULL;
  memcpy(moved, start, block->size < size ? block->size : size);
  free(start);
  return moved;
}

void* reallocarray(void* start, size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(start, all);
}

// Rare, so that room is wasted: the block lies within another one, which nobody has.
static void* allocate_aligned(size_t alignment, size_t size) {
  if (alignment <= kAlignment) return malloc(size);
  if (size > LARGEST || alignment > LARGEST) {
    give_up();
    errno = ENOMEM;
    return NULL;
  }
  const unsigned number = class_of(size + sizeof(struct Block) + kGuard);
  const size_t all = sizeof(struct Block) + alignment + size_of_class(number);
  if (class_of(all) >= kClasses) {
    give_up();
    errno = ENOMEM;
    return NULL;
  }
  struct Block* const around = take_from_heap(size_of_class(class_of(all)));
  if (around == NULL) {
    errno = ENOMEM;
    return NULL;
  }
  around->size = 0;
  around->state = FREED;
  around->class_number = class_of(all);
  char* const first = (char*)(around + 1) + sizeof(struct Block);
  char* const start = (char*)round_up((size_t)first, alignment);
  struct Block* const block = block_of(start);
  block->size = size;
  block->state = LIVE;
  block->class_number = number;
  put_guard(block);
  return start;
}

int posix_memalign(void** start, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  const int error = errno;
  void* const place = allocate_aligned(alignment, size);
  errno = error;
  if (place == NULL) return ENOMEM;
  *start = place;
  return 0;
}

void* aligned_alloc(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size);
}

void* memalign(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size);
}

size_t malloc_usable_size(void* start);
size_t malloc_usable_size(void* start) {
  return start == NULL ? 0 : block_of(start)->size;
}

// Blocks that are never freed are damaged by some programs, too.
__attribute__((destructor)) static void look_at_all_blocks(void) {
  for (char* at = heap_begin; at < heap_next;) {
    const struct Block* const block = (const struct Block*)at;
    const int is_whole = block->class_number < kClasses && (block->state == FREED || block->state == LIVE);
    if (!is_whole || (block->state == LIVE && !is_sound(block))) {
      report_damage();
      return;
    }
    at += size_of_class(block->class_number);
  }
}
