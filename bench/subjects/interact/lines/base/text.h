// The lines of the input, which share one block of memory.
#pragma once

#include <stddef.h>

struct line {
  const char* text;  // without the end of the line
  size_t length;
};

struct text {
  char* bytes;
  size_t size;
  struct line* lines;
  size_t count;
};

// All of standard input.
void read_text(struct text* text);

void write_line(const struct line* line);

void release_text(struct text* text);
