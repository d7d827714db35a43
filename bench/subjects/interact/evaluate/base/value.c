#include "value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct value integer_value(int64_t integer) {
  return (struct value){.is_integer = true, .integer = integer};
}

struct value text_value(const char* text, size_t length) {
  return (struct value){.text = text, .length = length};
}

struct value word_value(const char* word) {
  const size_t length = strlen(word);
  const bool is_negative = word[0] == '-';
  const char* at = is_negative ? word + 1 : word;
  if (*at == '\0') return text_value(word, length);
  int digits = 0;
  int64_t magnitude = 0;
  for (; *at != '\0'; ++at) {
    if (!isdigit((unsigned char)*at) || ++digits > MOST_DIGITS) return text_value(word, length);
    magnitude = magnitude * 10 + (*at - '0');
  }
  return integer_value(is_negative ? -magnitude : magnitude);
}

bool is_true(const struct value* value) {
  return value->is_integer ? value->integer != 0 : value->length > 0;
}

int compare_values(const struct value* a, const struct value* b) {
  if (a->is_integer && b->is_integer) {
    if (a->integer == b->integer) return 0;
    return a->integer < b->integer ? -1 : 1;
  }
  char written_a[LONGEST_INTEGER];
  char written_b[LONGEST_INTEGER];
  size_t length_a = 0;
  size_t length_b = 0;
  const char* const text_a = text_of(a, written_a, &length_a);
  const char* const text_b = text_of(b, written_b, &length_b);
  const size_t common = length_a < length_b ? length_a : length_b;
  const int order = memcmp(text_a, text_b, common);
  if (order != 0) return order < 0 ? -1 : 1;
  if (length_a == length_b) return 0;
  return length_a < length_b ? -1 : 1;
}

const char* text_of(const struct value* value, char written[LONGEST_INTEGER], size_t* length) {
  if (!value->is_integer) {
    *length = value->length;
    return value->text;
  }
  size_t at = 0;
  if (value->integer < 0) written[at++] = '-';
  const uint64_t magnitude = value->integer < 0 ? 0 - (uint64_t)value->integer : (uint64_t)value->integer;
  at += (size_t)snprintf(written + at, LONGEST_INTEGER - at, "%" PRIu64, magnitude);
  *length = at;
  return written;
}
