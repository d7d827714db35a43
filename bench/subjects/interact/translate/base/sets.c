#include "sets.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

struct class {
  const char* name;
  int (*has)(int c);
};

static const struct class classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
    {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
    {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

/* Where in the text of a set we are. */
struct reader {
  const char* text;
  size_t position;
};

static void fail(const char* message, const char* text) {
  fprintf(stderr, "translate: %s in '%s'\n", message, text);
  exit(EXIT_USAGE);
}

static void append(struct set* set, unsigned char code) {
  if (set->length == set->capacity) {
    set->capacity = set->capacity == 0 ? 32 : 2 * set->capacity;
    set->codes = realloc(set->codes, set->capacity);
    if (set->codes == NULL) {
      fputs("translate: out of memory\n", stderr);
      exit(EXIT_FAILED);
    }
  }
  set->codes[set->length++] = code;
}

static bool at_end(const struct reader* reader) {
  return reader->text[reader->position] == '\0';
}

static bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/* After a backslash: up to three octal digits. */
static unsigned char read_octal(struct reader* reader) {
  unsigned value = 0;
  for (int digits = 0; digits < 3; digits++) {
    const char c = reader->text[reader->position];
    if (!is_octal(c)) break;
    value = 8 * value + (unsigned)(c - '0');
    reader->position++;
  }
  if (value >= CHARACTERS) fail("no character has this number", reader->text);
  return (unsigned char)value;
}

static unsigned char read_escape(struct reader* reader) {
  const char c = reader->text[reader->position];
  if (is_octal(c)) return read_octal(reader);
  if (c == '\0') return '\\';
  reader->position++;
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return (unsigned char)c;
  }
}

static unsigned char read_character(struct reader* reader) {
  const char c = reader->text[reader->position++];
  if (c == '\\') return read_escape(reader);
  return (unsigned char)c;
}

static void append_class(struct set* set, const struct reader* reader, const char* name, size_t length) {
  for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
    if (strlen(classes[i].name) != length || memcmp(classes[i].name, name, length) != 0) continue;
    for (int code = 0; code < CHARACTERS; code++) {
      if (classes[i].has(code)) append(set, (unsigned char)code);
    }
    return;
  }
  fail("there is no such class", reader->text);
}

/* False: no class stands here. */
static bool read_class(struct reader* reader, struct set* set) {
  const char* here = reader->text + reader->position;
  if (here[0] != '[' || here[1] != ':') return false;
  const char* name = here + 2;
  const char* end = strstr(name, ":]");
  if (end == NULL) return false;
  append_class(set, reader, name, (size_t)(end - name));
  reader->position += (size_t)(end + 2 - here);
  return true;
}

/* A minus at the end of a set is one. */
static bool is_range(const struct reader* reader) {
  return reader->text[reader->position] == '-' && reader->text[reader->position + 1] != '\0';
}

static void read_range(struct reader* reader, unsigned char first, struct set* set) {
  reader->position++;
  const unsigned char last = read_character(reader);
  if (first > last) fail("a range is in reverse order", reader->text);
  for (int code = first; code <= last; code++) {
    append(set, (unsigned char)code);
  }
}

void read_set(const char* text, struct set* set) {
  struct reader reader = {.text = text, .position = 0};
  while (!at_end(&reader)) {
    if (read_class(&reader, set)) continue;
    const unsigned char first = read_character(&reader);
    if (is_range(&reader)) {
      read_range(&reader, first, set);
    } else {
      append(set, first);
    }
  }
}

void free_set(struct set* set) {
  free(set->codes);
  *set = (struct set){0};
}

void complement_set(struct set* set) {
  bool has[CHARACTERS] = {false};
  for (size_t i = 0; i < set->length; i++) {
    has[set->codes[i]] = true;
  }
  set->length = 0;
  for (int code = 0; code < CHARACTERS; code++) {
    if (!has[code]) append(set, (unsigned char)code);
  }
}

void extend_set(struct set* set, size_t length) {
  const unsigned char last = set->codes[set->length - 1];
  while (set->length < length) {
    append(set, last);
  }
}
