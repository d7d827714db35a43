/* Counts lines, words and bytes. */
#ifndef TALLY_TOTALS_H
#define TALLY_TOTALS_H

#include <stddef.h>
#include <stdio.h>

#include "lines.h"

struct totals {
  size_t lines;
  size_t words;
  size_t bytes; /* without the ends of lines */
};

struct totals count_totals(const struct lines* lines);

void print_totals(const struct totals* totals, FILE* out);

#endif
