#include "totals.h"

#include <ctype.h>
#include <stdbool.h>

static size_t count_words(const struct line* line) {
  size_t words = 0;
  bool in_word = false;
  for (size_t i = 0; i < line->length; i++) {
    const bool separates = isspace((unsigned char)line->text[i]) != 0;
    if (!separates && !in_word) words++;
    in_word = !separates;
  }
  return words;
}

struct totals count_totals(const struct lines* lines) {
  struct totals totals = {.lines = lines->count};
  for (size_t i = 0; i < lines->count; i++) {
    totals.words += count_words(&lines->items[i]);
    totals.bytes += lines->items[i].length;
  }
  return totals;
}

void print_totals(const struct totals* totals, FILE* out) {
  fprintf(out, "%7zu %7zu %7zu total\n", totals->lines, totals->words, totals->bytes);
}
