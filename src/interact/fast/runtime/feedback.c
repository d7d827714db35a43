// Linked into a program in its fast form: what clang's instrumentation calls.
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "interact/fast/layout.h"

__attribute__((visibility("default"))) struct HeddleFastLink heddle_fast_link;

void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end);
void __sanitizer_cov_8bit_counters_init(uint8_t* begin, uint8_t* end) {
  heddle_fast_link.counters_begin = begin;
  heddle_fast_link.counters_end = end;
}

void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end);
void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end) {
  heddle_fast_link.places_begin = begin;
  heddle_fast_link.places_end = end;
}

void heddle_fast_mark(uint32_t number);
void heddle_fast_mark(uint32_t number) {
  struct HeddleFastFeedback* const feedback = heddle_fast_link.feedback;
  if (feedback == NULL) return;
  const uint32_t at = feedback->mark_count++;
  if (at < HEDDLE_FAST_MOST_MARKS) feedback->marks[at] = number;
}

static inline void add(uint64_t left, uint64_t right, uint32_t size, uint32_t is_constant, void* place) {
  struct HeddleFastFeedback* const feedback = heddle_fast_link.feedback;
  if (feedback == NULL || !feedback->wants_compares || feedback->compare_count >= HEDDLE_FAST_MOST_COMPARES)
    return;
  struct HeddleFastCompare* const compare = &feedback->compares[feedback->compare_count++];
  compare->place = (uint64_t)place;
  compare->left = left;
  compare->right = right;
  compare->size = size;
  compare->is_constant = is_constant;
}

#define COMPARE(bytes, type)                                           \
  void __sanitizer_cov_trace_cmp##bytes(type left, type right);        \
  void __sanitizer_cov_trace_cmp##bytes(type left, type right) {       \
    add(left, right, bytes, 0, __builtin_return_address(0));           \
  }                                                                    \
  void __sanitizer_cov_trace_const_cmp##bytes(type left, type right);  \
  void __sanitizer_cov_trace_const_cmp##bytes(type left, type right) { \
    add(left, right, bytes, 1, __builtin_return_address(0));           \
  }
COMPARE(1, uint8_t)
COMPARE(2, uint16_t)
COMPARE(4, uint32_t)
COMPARE(8, uint64_t)

// `cases`: how many, their size in bits, then their values.
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t* cases);
void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t* cases) {
  struct HeddleFastFeedback* const feedback = heddle_fast_link.feedback;
  if (feedback == NULL || !feedback->wants_compares) return;
  for (uint64_t i = 0; i < cases[0]; ++i)
    add(cases[2 + i], value, (uint32_t)(cases[1] / 8), 1, __builtin_return_address(0));
}

static inline uint32_t begin_of(char* to, const char* text, size_t size, int ends_at_nul) {
  uint32_t count = 0;
  if (size > HEDDLE_FAST_TEXT_SIZE) size = HEDDLE_FAST_TEXT_SIZE;
  while (count < size && (!ends_at_nul || text[count] != '\0')) {
    to[count] = text[count];
    ++count;
  }
  return count;
}

static inline void add_texts(const char* left, const char* right, size_t size, int end_at_nul, void* place) {
  struct HeddleFastFeedback* const feedback = heddle_fast_link.feedback;
  if (feedback == NULL || !feedback->wants_compares || feedback->text_count >= HEDDLE_FAST_MOST_TEXTS) return;
  struct HeddleFastTexts* const texts = &feedback->texts[feedback->text_count++];
  texts->place = (uint64_t)place;
  texts->left_size = begin_of(texts->left, left, size, end_at_nul);
  texts->right_size = begin_of(texts->right, right, size, end_at_nul);
}

// Calls of the functions of the library become calls of these (pass/mark_plugin.cpp).
#define TEXTS(name)                                                   \
  int heddle_fast_##name(const char* left, const char* right);        \
  int heddle_fast_##name(const char* left, const char* right) {       \
    add_texts(left, right, SIZE_MAX, 1, __builtin_return_address(0)); \
    return name(left, right);                                         \
  }
TEXTS(strcmp)
TEXTS(strcasecmp)

#define SIZED_TEXTS(name, type, end_at_nul)                                  \
  int heddle_fast_##name(const type* left, const type* right, size_t size);  \
  int heddle_fast_##name(const type* left, const type* right, size_t size) { \
    add_texts(left, right, size, end_at_nul, __builtin_return_address(0));   \
    return name(left, right, size);                                          \
  }
SIZED_TEXTS(strncmp, char, 1)
SIZED_TEXTS(strncasecmp, char, 1)
SIZED_TEXTS(memcmp, void, 0)
SIZED_TEXTS(bcmp, void, 0)
