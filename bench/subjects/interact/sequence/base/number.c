#include "number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static bool is_digit(char c) {
  return isdigit((unsigned char)c) != 0;
}

enum number_error parse_number(const char* text, struct number* number) {
  const char* at = text;
  const bool is_negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if (*at == '\0') return NUMBER_EMPTY;

  unsigned integer_digits = 0;
  unsigned fraction_digits = 0;
  bool has_digit = false;
  int64_t units = 0;
  while (*at == '0') {
    has_digit = true;
    ++at;
  }
  for (; is_digit(*at); ++at) {
    if (++integer_digits > MOST_INTEGER_DIGITS) return NUMBER_TOO_LONG;
    units = units * 10 + (*at - '0');
    has_digit = true;
  }
  if (*at == '.') {
    for (++at; is_digit(*at); ++at) {
      if (++fraction_digits > MOST_FRACTION_DIGITS) return NUMBER_TOO_LONG;
      units = units * 10 + (*at - '0');
      has_digit = true;
    }
  }
  if (*at != '\0' || !has_digit) return NUMBER_INVALID;
  number->units = is_negative ? -units : units;
  number->scale = fraction_digits;
  return NUMBER_OK;
}

const char* describe_number_error(enum number_error error) {
  switch (error) {
    case NUMBER_OK:
      return "a number";
    case NUMBER_EMPTY:
      return "a number is missing";
    case NUMBER_INVALID:
      return "not a decimal number";
    case NUMBER_TOO_LONG:
      return "too many digits";
  }
  return "not a number";
}

void rescale(struct number* number, unsigned scale) {
  for (; number->scale < scale; ++number->scale) number->units *= 10;
}

static uint64_t magnitude_of(const struct number* number) {
  return number->units < 0 ? (uint64_t)-number->units : (uint64_t)number->units;
}

unsigned written_length(const struct number* number) {
  unsigned digits = 1;
  for (uint64_t rest = magnitude_of(number) / 10; rest != 0; rest /= 10) ++digits;
  if (digits <= number->scale) digits = number->scale + 1;
  unsigned length = digits;
  if (number->scale > 0) ++length;
  if (number->units < 0) ++length;
  return length;
}

void write_number(const struct number* number, unsigned width, char* text) {
  char digits[LONGEST_NUMBER];
  const int minimum = (int)number->scale + 1;
  const unsigned count =
      (unsigned)snprintf(digits, sizeof digits, "%0*" PRIu64, minimum, magnitude_of(number));
  const unsigned integer_digits = count - number->scale;
  unsigned length = count;
  if (number->scale > 0) ++length;
  if (number->units < 0) ++length;
  if (width > LONGEST_NUMBER - 1) width = LONGEST_NUMBER - 1;

  size_t at = 0;
  if (number->units < 0) text[at++] = '-';
  for (; length < width; ++length) text[at++] = '0';
  for (unsigned i = 0; i < count; ++i) {
    if (i == integer_digits) text[at++] = '.';
    text[at++] = digits[i];
  }
  text[at] = '\0';
}
