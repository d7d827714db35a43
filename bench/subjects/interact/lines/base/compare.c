#include "compare.h"

#include <ctype.h>

// What a key selects of a line.
struct part {
  const char* begin;
  const char* end;
};

static bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

static bool is_digit(char c) {
  return isdigit((unsigned char)c) != 0;
}

static const char* skip_blanks(const char* at, const char* end) {
  while (at < end && is_blank(*at)) ++at;
  return at;
}

static const char* end_of_field(const struct settings* settings, const char* at, const char* end) {
  if (settings->separator >= 0) {
    while (at < end && (unsigned char)*at != settings->separator) ++at;
    return at;
  }
  at = skip_blanks(at, end);
  while (at < end && !is_blank(*at)) ++at;
  return at;
}

// Where the field begins; the end of the line if there is none.
static const char* begin_of_field(const struct settings* settings, const struct line* line, size_t field) {
  const char* at = line->text;
  const char* const end = line->text + line->length;
  for (size_t i = 1; i < field && at < end; ++i) {
    at = end_of_field(settings, at, end);
    if (settings->separator >= 0 && at < end) ++at;
  }
  return at;
}

static const char* advance(const char* at, const char* end, size_t count) {
  return count < (size_t)(end - at) ? at + count : end;
}

static struct part find_part(const struct settings* settings, const struct key* key,
                             const struct line* line) {
  const char* const end = line->text + line->length;
  struct part part = {begin_of_field(settings, line, key->first_field), end};
  if (key->manner.skip_blanks) part.begin = skip_blanks(part.begin, end);
  part.begin = advance(part.begin, end, key->first_character - 1);
  if (key->last_field > 0) {
    const char* last = begin_of_field(settings, line, key->last_field);
    if (key->last_character == 0) {
      part.end = end_of_field(settings, last, end);
    } else {
      if (key->manner.skip_blanks) last = skip_blanks(last, end);
      part.end = advance(last, end, key->last_character);
    }
    if (part.end < part.begin) part.end = part.begin;
  }
  return part;
}

// A number of any length: where its digits are.
struct decimal {
  bool is_negative;
  struct part integer;  // without zeros at its beginning
  struct part fraction;
};

static struct part take_digits(const char* at, const char* end) {
  struct part digits = {at, at};
  while (digits.end < end && is_digit(*digits.end)) ++digits.end;
  return digits;
}

static struct decimal read_decimal(struct part part) {
  struct decimal decimal = {0};
  const char* at = skip_blanks(part.begin, part.end);
  if (at < part.end && *at == '-') {
    decimal.is_negative = true;
    ++at;
  }
  while (at < part.end && *at == '0') ++at;
  decimal.integer = take_digits(at, part.end);
  at = decimal.integer.end;
  decimal.fraction = (struct part){at, at};
  if (at < part.end && *at == '.') decimal.fraction = take_digits(at + 1, part.end);
  return decimal;
}

static bool is_zero(const struct decimal* decimal) {
  if (decimal->integer.begin != decimal->integer.end) return false;
  for (const char* at = decimal->fraction.begin; at < decimal->fraction.end; ++at) {
    if (*at != '0') return false;
  }
  return true;
}

static int compare_magnitudes(const struct decimal* a, const struct decimal* b) {
  const size_t length_a = (size_t)(a->integer.end - a->integer.begin);
  const size_t length_b = (size_t)(b->integer.end - b->integer.begin);
  if (length_a != length_b) return length_a < length_b ? -1 : 1;
  for (size_t i = 0; i < length_a; ++i) {
    if (a->integer.begin[i] != b->integer.begin[i]) return a->integer.begin[i] < b->integer.begin[i] ? -1 : 1;
  }
  const char* left = a->fraction.begin;
  const char* right = b->fraction.begin;
  while (left < a->fraction.end || right < b->fraction.end) {
    const char digit_a = left < a->fraction.end ? *left++ : '0';
    const char digit_b = right < b->fraction.end ? *right++ : '0';
    if (digit_a != digit_b) return digit_a < digit_b ? -1 : 1;
  }
  return 0;
}

static int compare_numbers(struct part left, struct part right) {
  const struct decimal a = read_decimal(left);
  const struct decimal b = read_decimal(right);
  const bool is_negative_a = a.is_negative && !is_zero(&a);
  const bool is_negative_b = b.is_negative && !is_zero(&b);
  if (is_negative_a != is_negative_b) return is_negative_a ? -1 : 1;
  return is_negative_a ? compare_magnitudes(&b, &a) : compare_magnitudes(&a, &b);
}

static int fold_byte(unsigned char c) {
  return isupper(c) ? tolower(c) : c;
}

static int compare_bytes(struct part a, struct part b, bool fold) {
  while (a.begin < a.end && b.begin < b.end) {
    int left = (unsigned char)*a.begin++;
    int right = (unsigned char)*b.begin++;
    if (fold) {
      left = fold_byte((unsigned char)left);
      right = fold_byte((unsigned char)right);
    }
    if (left != right) return left < right ? -1 : 1;
  }
  if (a.begin == a.end && b.begin == b.end) return 0;
  return a.begin == a.end ? -1 : 1;
}

static int compare_by_key(const struct settings* settings, const struct key* key, const struct line* a,
                          const struct line* b) {
  const struct part left = find_part(settings, key, a);
  const struct part right = find_part(settings, key, b);
  const int order =
      key->manner.numeric ? compare_numbers(left, right) : compare_bytes(left, right, key->manner.fold);
  return key->manner.reverse ? -order : order;
}

int compare_keys(const struct settings* settings, const struct line* a, const struct line* b) {
  for (size_t i = 0; i < settings->key_count; ++i) {
    const int order = compare_by_key(settings, &settings->keys[i], a, b);
    if (order != 0) return order;
  }
  return 0;
}

int compare_lines(const struct settings* settings, const struct line* a, const struct line* b) {
  const int order = compare_keys(settings, a, b);
  if (order != 0 || settings->stable || settings->unique) return order;
  const struct part left = {a->text, a->text + a->length};
  const struct part right = {b->text, b->text + b->length};
  const int last_resort = compare_bytes(left, right, false);
  return settings->manner.reverse ? -last_resort : last_resort;
}
