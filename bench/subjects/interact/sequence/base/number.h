// Decimal numbers with a fixed number of digits behind the point. No floating point: 0.1 is what it says.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  MOST_INTEGER_DIGITS = 12,
  MOST_FRACTION_DIGITS = 5,
  LONGEST_NUMBER = 24,  // written, with sign, point and NUL
};

struct number {
  int64_t units;  // the value times 10 to the power of scale
  unsigned scale;
};

enum number_error { NUMBER_OK, NUMBER_EMPTY, NUMBER_INVALID, NUMBER_TOO_LONG };

// "12", "-0.25", "+3.", ".5"
enum number_error parse_number(const char* text, struct number* number);

const char* describe_number_error(enum number_error error);

// The same value with more digits behind the point.
void rescale(struct number* number, unsigned scale);

// How many characters write_number() makes, at least.
unsigned written_length(const struct number* number);

// Writes the number with a NUL; zeros are put before it until it has `width` characters.
void write_number(const struct number* number, unsigned width, char* text);
