/* What a program in its fast form and the process that runs it share: C, because runtime/ is linked into the
 * program. */
#pragma once

#include <stdint.h>

enum {
  HEDDLE_FAST_MOST_MARKS = 1 << 14,
  HEDDLE_FAST_MOST_COMPARES = 1 << 14,
  HEDDLE_FAST_MOST_TEXTS = 1 << 10,
  HEDDLE_FAST_TEXT_SIZE = 32,
  /* A system call that Linux does not have: the program's allocator cannot go on as any other would. */
  HEDDLE_FAST_GIVE_UP_CALL = 0x6865,
};

struct HeddleFastCompare {
  uint64_t place; /* program counter behind the comparison */
  uint64_t left;
  uint64_t right;
  uint32_t size;        /* in bytes */
  uint32_t is_constant; /* `left` is */
};

/* Two texts that the program compared by a function of the library: their beginnings. */
struct HeddleFastTexts {
  uint64_t place; /* program counter behind the call */
  uint32_t left_size;
  uint32_t right_size;
  char left[HEDDLE_FAST_TEXT_SIZE];
  char right[HEDDLE_FAST_TEXT_SIZE];
};

/* Filled by the program while it runs, and emptied before each run. */
struct HeddleFastFeedback {
  uint32_t wants_compares;
  uint32_t compare_count;
  uint32_t mark_count; /* goes on when the table is full */
  uint32_t damages_heap;
  uint32_t text_count;
  uint32_t marks[HEDDLE_FAST_MOST_MARKS];
  struct HeddleFastCompare compares[HEDDLE_FAST_MOST_COMPARES];
  struct HeddleFastTexts texts[HEDDLE_FAST_MOST_TEXTS];
};

/* The symbol heddle_fast_link of a program. */
struct HeddleFastLink {
  uint8_t* counters_begin;
  uint8_t* counters_end;
  const uintptr_t* places_begin; /* two words for each counter: program counter, flags */
  const uintptr_t* places_end;
  struct HeddleFastFeedback* feedback; /* set by who runs it */
};
