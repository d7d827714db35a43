#include "list.h"

#include <ctype.h>
#include <stdlib.h>

#include "message.h"

// What has been read of one element.
struct element {
  uint32_t first;
  uint32_t value;  // of the digits since the start, or since the sign within it
  bool has_first;
  bool has_sign;
  bool has_value;
};

static void add_range(struct list* list, struct range range) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
    struct range* const ranges = realloc(list->ranges, capacity * sizeof *ranges);
    if (ranges == NULL) fail("the list is too long for the memory");
    list->ranges = ranges;
    list->capacity = capacity;
  }
  list->ranges[list->count++] = range;
}

static void add_digit(struct element* element, char digit, const char* text) {
  const uint64_t value = (uint64_t)element->value * 10 + (uint64_t)(digit - '0');
  if (value >= OPEN_END) fail("a position of '%s' is too large", text);
  element->value = (uint32_t)value;
  element->has_value = true;
}

static void start_second(struct element* element, const char* text) {
  if (element->has_sign) fail("an element of '%s' has more than two positions", text);
  element->has_sign = true;
  element->has_first = element->has_value;
  element->first = element->has_value ? element->value : 1;
  element->value = 0;
  element->has_value = false;
}

static void finish_element(struct list* list, const struct element* element, const char* text) {
  struct range range = {element->value, element->value};
  if (element->has_sign) {
    if (!element->has_first && !element->has_value) fail("a range of '%s' has no end", text);
    range.first = element->first;
    range.last = element->has_value ? element->value : OPEN_END;
  } else if (!element->has_value) {
    fail("a position is missing in '%s'", text);
  }
  if (range.first == 0) fail("positions are counted from 1");
  if (range.last < range.first) fail("a range of '%s' decreases", text);
  add_range(list, range);
}

void parse_list(struct list* list, const char* text) {
  static const struct element nothing;
  struct element element = nothing;
  for (const char* at = text;; ++at) {
    if (isdigit((unsigned char)*at)) {
      add_digit(&element, *at, text);
    } else if (*at == '-') {
      start_second(&element, text);
    } else if (*at == ',' || *at == ' ' || *at == '\t' || *at == '\0') {
      finish_element(list, &element, text);
      element = nothing;
      if (*at == '\0') return;
    } else {
      fail("'%c' has no meaning in a list", *at);
    }
  }
}

static int compare_ranges(const void* a, const void* b) {
  const struct range* const left = a;
  const struct range* const right = b;
  if (left->first != right->first) return left->first < right->first ? -1 : 1;
  if (left->last != right->last) return left->last < right->last ? -1 : 1;
  return 0;
}

// Whether `next`, which begins no earlier, overlaps `range` or follows it without a gap.
static bool joins(const struct range* range, const struct range* next) {
  return next->first - 1 <= range->last;
}

void finish_list(struct list* list) {
  if (list->count == 0) return;
  qsort(list->ranges, list->count, sizeof *list->ranges, compare_ranges);
  size_t kept = 0;
  for (size_t i = 1; i < list->count; ++i) {
    struct range* const last = &list->ranges[kept];
    const struct range* const next = &list->ranges[i];
    if (joins(last, next)) {
      if (next->last > last->last) last->last = next->last;
    } else {
      list->ranges[++kept] = *next;
    }
  }
  list->count = kept + 1;
}

void complement_list(struct list* list) {
  struct list rest = {0};
  uint32_t next = 1;
  for (size_t i = 0; i < list->count; ++i) {
    const struct range* const range = &list->ranges[i];
    if (range->first > next) add_range(&rest, (struct range){next, range->first - 1});
    if (range->last == OPEN_END) {
      next = 0;
      break;
    }
    next = range->last + 1;
  }
  if (next != 0) add_range(&rest, (struct range){next, OPEN_END});
  release_list(list);
  *list = rest;
}

const struct range* find_range(const struct list* list, uint32_t position, size_t* hint) {
  while (*hint < list->count && list->ranges[*hint].last < position) ++*hint;
  if (*hint == list->count || list->ranges[*hint].first > position) return NULL;
  return &list->ranges[*hint];
}

void release_list(struct list* list) {
  free(list->ranges);
  list->ranges = NULL;
  list->count = 0;
  list->capacity = 0;
}
