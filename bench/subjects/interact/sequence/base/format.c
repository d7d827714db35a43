#include "format.h"

#include <ctype.h>
#include <string.h>

// The next percent sign that is not one of a pair; NULL: there is none.
static const char* find_place(const char* text) {
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at != '%') continue;
    if (at[1] != '%') return at;
    ++at;
  }
  return NULL;
}

const char* parse_format(const char* text, struct format* format) {
  const char* at = find_place(text);
  if (at == NULL) return "it has no %n";
  format->before = text;
  format->before_length = (size_t)(at - text);
  format->width = 0;
  ++at;
  format->is_left = *at == '-';
  if (format->is_left) ++at;
  for (; isdigit((unsigned char)*at); ++at) {
    format->width = format->width * 10 + (unsigned)(*at - '0');
    if (format->width > WIDEST_PLACE) return "its place is too wide";
  }
  if (*at != 'n') return "a % is followed by neither n nor %";
  format->after = at + 1;
  if (find_place(format->after) != NULL) return "it has more than one place for the number";
  return NULL;
}

static void write_literal(const char* text, size_t length, FILE* out) {
  for (size_t i = 0; i < length; ++i) {
    fputc(text[i], out);
    if (text[i] == '%') ++i;
  }
}

static void write_blanks(size_t count, FILE* out) {
  while (count-- > 0) fputc(' ', out);
}

void write_formatted(const struct format* format, const char* number, FILE* out) {
  const size_t length = strlen(number);
  const size_t blanks = format->width > length ? format->width - length : 0;
  write_literal(format->before, format->before_length, out);
  if (!format->is_left) write_blanks(blanks, out);
  fputs(number, out);
  if (format->is_left) write_blanks(blanks, out);
  write_literal(format->after, strlen(format->after), out);
}
