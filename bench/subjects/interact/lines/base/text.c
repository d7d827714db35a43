#include "text.h"

#include <stdio.h>
#include <stdlib.h>

#include "options.h"

static void read_bytes(struct text* text) {
  size_t capacity = 0;
  text->bytes = NULL;
  text->size = 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    if (text->size == capacity) {
      capacity = capacity == 0 ? 256 : capacity * 2;
      char* const bytes = realloc(text->bytes, capacity);
      if (bytes == NULL) give_up("the input is too large for the memory", NULL);
      text->bytes = bytes;
    }
    text->bytes[text->size++] = (char)c;
  }
  if (ferror(stdin)) give_up("standard input cannot be read", NULL);
}

static size_t count_lines(const struct text* text) {
  size_t count = 0;
  for (size_t i = 0; i < text->size; ++i) {
    if (text->bytes[i] == '\n') ++count;
  }
  if (text->size > 0 && text->bytes[text->size - 1] != '\n') ++count;
  return count;
}

void read_text(struct text* text) {
  read_bytes(text);
  text->count = 0;
  const size_t count = count_lines(text);
  text->lines = calloc(count + 1, sizeof *text->lines);
  if (text->lines == NULL) give_up("the input is too large for the memory", NULL);
  size_t start = 0;
  while (start < text->size) {
    size_t end = start;
    while (end < text->size && text->bytes[end] != '\n') ++end;
    struct line* const line = &text->lines[text->count++];
    line->text = text->bytes + start;
    line->length = end - start;
    start = end + 1;
  }
}

void write_line(const struct line* line) {
  for (size_t i = 0; i < line->length; ++i) putchar(line->text[i]);
  putchar('\n');
}

void release_text(struct text* text) {
  free(text->lines);
  free(text->bytes);
  text->lines = NULL;
  text->bytes = NULL;
  text->count = 0;
  text->size = 0;
}
