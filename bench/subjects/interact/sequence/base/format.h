// Formats: a text with one place for the number.
//
// `%n` is the place; `%8n` is one of at least eight characters, with blanks before the number, `%-8n` with
// blanks behind it; `%%` is a percent sign.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { WIDEST_PLACE = 99 };

struct format {
  const char* before;
  size_t before_length;
  const char* after;
  unsigned width;
  bool is_left;
};

// Returns NULL, or what is wrong with the text.
const char* parse_format(const char* text, struct format* format);

void write_formatted(const struct format* format, const char* number, FILE* out);
