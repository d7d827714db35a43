// Reading lines of any length.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct line {
  char* text;  // without what ended it, and with a NUL behind it
  size_t length;
  size_t capacity;
  bool was_ended;  // false: the input stopped within it
};

// The next line of standard input, which ends with `end`; false if there is none.
bool read_line(struct line* line, char end);

void release_line(struct line* line);
