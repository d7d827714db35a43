// Values: integers of 64 bits, or text. Text that looks like an integer is one where one is needed.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value {
  bool is_integer;
  int64_t integer;
  const char* text;  // not owned; ends after `length`
  size_t length;
};

enum { LONGEST_INTEGER = 21, MOST_DIGITS = 18 };

struct value integer_value(int64_t integer);
struct value text_value(const char* text, size_t length);

// The value of a word as the user has written it: an integer if it looks like one of at most MOST_DIGITS,
// else text.
struct value word_value(const char* word);

// Neither 0 nor an empty text.
bool is_true(const struct value* value);

// Less than, equal to or greater than 0. As integers if both are, else by their bytes.
int compare_values(const struct value* a, const struct value* b);

// As the user sees it: the text, or the integer written into `written`.
const char* text_of(const struct value* value, char written[LONGEST_INTEGER], size_t* length);
