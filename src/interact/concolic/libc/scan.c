// scanf and its kin, for integers, characters and words. A format with anything else goes to the C library.
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "interact/concolic/libc/own.h"
#include "interact/concolic/runtime/inputs.h"

int OWN(fgetc)(FILE* stream);
long long OWN(strtoll)(const char* text, char** end, int base);
unsigned long long OWN(strtoull)(const char* text, char** end, int base);

// Characters come from a text or from a stream.
struct source {
  const char* text;
  FILE* stream;
};

static int take(struct source* source) {
  if (source->text == NULL) return OWN(fgetc)(source->stream);
  if (*source->text == '\0') return EOF;
  return (unsigned char)*source->text++;
}

static void put_back(struct source* source, int c) {
  if (c == EOF) return;
  if (source->text == NULL)
    ungetc(c, source->stream);
  else
    --source->text;
}

static int is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

struct directive {
  int is_dropped;  // %*d
  int width;       // 0: none
  int size;        // of an integer, in bytes
  char conversion;
  const char* set;  // of %[: what is between the brackets
  const char* set_end;
};

static const char* read_size(const char* format, int* size) {
  *size = sizeof(int);
  if (format[0] == 'h') {
    *size = format[1] == 'h' ? sizeof(char) : sizeof(short);
    return format + (format[1] == 'h' ? 2 : 1);
  }
  if (*format != 'l' && *format != 'j' && *format != 'z' && *format != 't' && *format != 'q') return format;
  *size = sizeof(long);
  return format + (format[0] == 'l' && format[1] == 'l' ? 2 : 1);
}

// What stands behind a %; NULL for what is not done here.
static const char* read_directive(const char* format, struct directive* directive) {
  directive->is_dropped = *format == '*';
  format += directive->is_dropped;
  directive->width = 0;
  for (; *format >= '0' && *format <= '9'; ++format) {
    if (directive->width > 9999) return NULL;
    directive->width = directive->width * 10 + (*format - '0');
  }
  const char* const modifier = format;
  format = read_size(format, &directive->size);
  const int is_modified = format != modifier;
  directive->conversion = *format++;
  switch (directive->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
    case 'n':
      return format;
    case 'c':
    case 's':
    case '%':
      return is_modified ? NULL : format;
    case '[':
      break;
    default:
      return NULL;
  }
  if (is_modified) return NULL;
  directive->set = format;
  if (*format == '^') ++format;
  if (*format == ']') ++format;
  while (*format != ']' && *format != '\0') ++format;
  directive->set_end = format;
  return *format == '\0' ? NULL : format + 1;
}

static int is_known(const char* format) {
  while (*format != '\0') {
    struct directive directive;
    if (*format++ != '%') continue;
    format = read_directive(format, &directive);
    if (format == NULL) return 0;
  }
  return 1;
}

static int is_in_set(int c, const struct directive* directive) {
  const char* at = directive->set;
  const int is_inverted = *at == '^';
  at += is_inverted;
  for (const char* const first = at; at < directive->set_end; ++at) {
    const int is_range = at[0] == '-' && at > first && at + 1 < directive->set_end;
    if (is_range ? c >= (unsigned char)at[-1] && c <= (unsigned char)at[1] : c == (unsigned char)at[0])
      return !is_inverted;
  }
  return is_inverted;
}

static int is_digit_of(int c, int base) {
  if (c >= '0' && c <= '9') return c - '0' < base;
  return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

enum { kLongestNumber = 512, kMatchingFailure = 0, kDone = 1 };

// The characters of an integer, as strtol wants them; how many.
static int take_number(struct source* source, int* base, int width, char* text) {
  int length = 0;
  int most = width == 0 || width > kLongestNumber - 1 ? kLongestNumber - 1 : width;
  int digits = 0;
  int c = take(source);
  if (c == '-' || c == '+') {
    text[length++] = (char)c;
    --most;
    c = most > 0 ? take(source) : EOF;
  }
  if (most > 0 && c == '0' && (*base == 0 || *base == 16)) {
    text[length++] = '0';
    ++digits;
    --most;
    c = most > 0 ? take(source) : EOF;
    if (most > 0 && (c == 'x' || c == 'X')) {
      *base = 16;  // "0x" alone is a zero
      --most;
      c = most > 0 ? take(source) : EOF;
    } else if (*base == 0) {
      *base = 8;
    }
  }
  if (*base == 0) *base = 10;
  while (most > 0 && c != EOF && is_digit_of(c, *base)) {
    text[length++] = (char)c;
    ++digits;
    --most;
    c = most > 0 ? take(source) : EOF;
  }
  if (most > 0) put_back(source, c);
  text[length] = '\0';
  return digits == 0 ? 0 : length;
}

static void store_number(void* to, int size, unsigned long long value) {
  switch (size) {
    case 1:
      *(unsigned char*)to = (unsigned char)value;
      break;
    case 2:
      *(unsigned short*)to = (unsigned short)value;
      break;
    case 4:
      *(unsigned*)to = (unsigned)value;
      break;
    default:
      *(unsigned long long*)to = value;
  }
}

static int scan_number(struct source* source, const struct directive* directive, void* to) {
  char text[kLongestNumber];
  int base = 10;
  if (directive->conversion == 'i') base = 0;
  if (directive->conversion == 'x' || directive->conversion == 'X') base = 16;
  if (directive->conversion == 'o') base = 8;
  if (take_number(source, &base, directive->width, text) == 0) return kMatchingFailure;
  const int is_signed = directive->conversion == 'd' || directive->conversion == 'i';
  const unsigned long long value =
      is_signed ? (unsigned long long)OWN(strtoll)(text, NULL, base) : OWN(strtoull)(text, NULL, base);
  if (to != NULL) store_number(to, directive->size, value);
  return kDone;
}

static int scan_text(struct source* source, const struct directive* directive, char* to) {
  const int is_count = directive->conversion == 'c';
  int most = directive->width == 0 ? (is_count ? 1 : INT_MAX) : directive->width;
  int length = 0;
  for (; most > 0; --most) {
    const int c = take(source);
    if (c == EOF) break;
    const int belongs = is_count || (directive->conversion == 's' ? !is_space(c) : is_in_set(c, directive));
    if (!belongs) {
      put_back(source, c);
      break;
    }
    if (to != NULL) to[length] = (char)c;
    ++length;
  }
  if (length == 0) return kMatchingFailure;
  if (to != NULL && !is_count) to[length] = '\0';
  return kDone;
}

// The next character that is no space, which stays.
static int skip_spaces(struct source* source) {
  int c = take(source);
  while (c != EOF && is_space(c)) c = take(source);
  put_back(source, c);
  return c;
}

static long position(const struct source* source, const char* begin, long stream_begin) {
  return source->text != NULL ? source->text - begin : ftell(source->stream) - stream_begin;
}

static int scan(struct source source, const char* format, va_list values) {
  const char* const begin = source.text;
  const long stream_begin = source.text == NULL ? ftell(source.stream) : 0;
  int assigned = 0;
  while (*format != '\0') {
    if (is_space((unsigned char)*format)) {
      ++format;
      skip_spaces(&source);
      continue;
    }
    struct directive directive = {.conversion = '\0'};
    if (*format != '%') {
      const int c = take(&source);
      if (c == EOF) return assigned == 0 ? EOF : assigned;
      if (c != (unsigned char)*format++) {
        put_back(&source, c);
        return assigned;
      }
      continue;
    }
    format = read_directive(format + 1, &directive);
    if (directive.conversion == 'n') {
      if (!directive.is_dropped)
        store_number(va_arg(values, void*), directive.size,
                     (unsigned long long)position(&source, begin, stream_begin));
      continue;
    }
    int next = EOF;
    if (directive.conversion != 'c' && directive.conversion != '[') {
      next = skip_spaces(&source);
    } else {
      next = take(&source);
      put_back(&source, next);
    }
    if (next == EOF) return assigned == 0 ? EOF : assigned;
    if (directive.conversion == '%') {
      if (next != '%') return assigned;
      take(&source);
      continue;
    }
    void* const to = directive.is_dropped ? NULL : va_arg(values, void*);
    const int is_text =
        directive.conversion == 's' || directive.conversion == 'c' || directive.conversion == '[';
    const int result = is_text ? scan_text(&source, &directive, to) : scan_number(&source, &directive, to);
    if (result == kMatchingFailure) return assigned;
    assigned += to != NULL;
  }
  return assigned;
}

int OWN(vsscanf)(const char* text, const char* format, va_list values) {
  if (!is_known(format)) return vsscanf(text, format, values);
  return scan((struct source){text, NULL}, format, values);
}

int OWN(vfscanf)(FILE* stream, const char* format, va_list values) {
  if (!is_known(format) || heddle_concolic_file_source(fileno(stream)) == 0)
    return vfscanf(stream, format, values);
  return scan((struct source){NULL, stream}, format, values);
}

int OWN(sscanf)(const char* text, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = OWN(vsscanf)(text, format, values);
  va_end(values);
  return result;
}

int OWN(fscanf)(FILE* stream, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = OWN(vfscanf)(stream, format, values);
  va_end(values);
  return result;
}

int OWN(scanf)(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int result = OWN(vfscanf)(stdin, format, values);
  va_end(values);
  return result;
}
