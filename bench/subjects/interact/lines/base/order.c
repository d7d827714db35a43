#include "order.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"

static void merge(const struct settings* settings, const struct line* from, struct line* to, size_t middle,
                  size_t end) {
  size_t left = 0;
  size_t right = middle;
  for (size_t i = 0; i < end; ++i) {
    const bool take_right =
        right < end && (left == middle || compare_lines(settings, &from[left], &from[right]) > 0);
    to[i] = take_right ? from[right++] : from[left++];
  }
}

void sort_lines(const struct settings* settings, struct text* text) {
  if (text->count < 2) return;
  struct line* const other = calloc(text->count, sizeof *other);
  if (other == NULL) give_up("the input is too large for the memory", NULL);
  for (size_t width = 1; width < text->count; width *= 2) {
    for (size_t start = 0; start < text->count; start += 2 * width) {
      const size_t rest = text->count - start;
      const size_t middle = width < rest ? width : rest;
      const size_t end = 2 * width < rest ? 2 * width : rest;
      merge(settings, text->lines + start, other + start, middle, end);
    }
    memcpy(text->lines, other, text->count * sizeof *other);
  }
  free(other);
}

void drop_repeated(const struct settings* settings, struct text* text) {
  if (text->count == 0) return;
  size_t kept = 1;
  for (size_t i = 1; i < text->count; ++i) {
    if (compare_keys(settings, &text->lines[kept - 1], &text->lines[i]) == 0) continue;
    text->lines[kept++] = text->lines[i];
  }
  text->count = kept;
}

size_t find_disorder(const struct settings* settings, const struct text* text) {
  for (size_t i = 1; i < text->count; ++i) {
    const int order = compare_lines(settings, &text->lines[i - 1], &text->lines[i]);
    if (order > 0 || (order == 0 && settings->unique)) return i;
  }
  return text->count;
}
