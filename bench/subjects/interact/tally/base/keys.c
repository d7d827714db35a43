#include "keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct key {
  const char* text;
  size_t length;
};

/* A field is blanks, then others. */
static size_t skip_field(const struct line* line, size_t at) {
  while (at < line->length && isblank((unsigned char)line->text[at])) {
    at++;
  }
  while (at < line->length && !isblank((unsigned char)line->text[at])) {
    at++;
  }
  return at;
}

static struct key key_of(const struct options* options, const struct line* line) {
  size_t at = 0;
  for (size_t field = 0; field < options->skip_fields && at < line->length; field++) {
    at = skip_field(line, at);
  }
  const size_t rest = line->length - at;
  at += options->skip_bytes < rest ? options->skip_bytes : rest;
  struct key key = {.text = line->text + at, .length = line->length - at};
  if (key.length > options->width) key.length = options->width;
  return key;
}

static int compare_bytes(const char* a, const char* b, size_t length, bool ignore_case) {
  for (size_t i = 0; i < length; i++) {
    int x = (unsigned char)a[i];
    int y = (unsigned char)b[i];
    if (ignore_case) {
      x = tolower(x);
      y = tolower(y);
    }
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

int compare_keys(const struct options* options, const struct line* a, const struct line* b) {
  const struct key x = key_of(options, a);
  const struct key y = key_of(options, b);
  const size_t common = x.length < y.length ? x.length : y.length;
  const int order = compare_bytes(x.text, y.text, common, options->ignore_case);
  if (order != 0) return order;
  return x.length == y.length ? 0 : x.length < y.length ? -1 : 1;
}

/* Merges the sorted halves of `items`. */
static void merge(const struct options* options, struct line* items, size_t count, struct line* room) {
  const size_t half = count / 2;
  memcpy(room, items, half * sizeof(struct line));
  size_t left = 0;
  size_t right = half;
  for (size_t to = 0; left < half; to++) {
    if (right < count && compare_keys(options, &room[left], &items[right]) > 0) {
      items[to] = items[right++];
    } else {
      items[to] = room[left++];
    }
  }
}

static void sort(const struct options* options, struct line* items, size_t count, struct line* room) {
  if (count < 2) return;
  const size_t half = count / 2;
  sort(options, items, half, room);
  sort(options, items + half, count - half, room);
  merge(options, items, count, room);
}

void sort_by_key(const struct options* options, struct lines* lines) {
  if (lines->count < 2) return;
  struct line* room = malloc(lines->count * sizeof(struct line));
  if (room == NULL) {
    fputs("tally: out of memory\n", stderr);
    exit(EXIT_FAILED);
  }
  sort(options, lines->items, lines->count, room);
  free(room);
}
