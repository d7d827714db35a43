/* The lines of the input, in memory. */
#ifndef TALLY_LINES_H
#define TALLY_LINES_H

#include <stddef.h>
#include <stdio.h>

struct line {
  char* text; /* without its end */
  size_t length;
};

struct lines {
  struct line* items;
  size_t count;
  size_t capacity;
};

/* The last one need not end in a line feed. */
void read_lines(FILE* file, struct lines* lines);

void free_lines(struct lines* lines);

#endif
