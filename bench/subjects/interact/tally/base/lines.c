#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

static void* grown(void* memory, size_t size) {
  void* result = realloc(memory, size);
  if (result == NULL) {
    fputs("tally: out of memory\n", stderr);
    exit(EXIT_FAILED);
  }
  return result;
}

static void append(struct lines* lines, const char* text, size_t length) {
  if (lines->count == lines->capacity) {
    lines->capacity = lines->capacity == 0 ? 16 : 2 * lines->capacity;
    lines->items = grown(lines->items, lines->capacity * sizeof(struct line));
  }
  struct line* line = &lines->items[lines->count++];
  line->text = grown(NULL, length + 1);
  line->length = length;
  memcpy(line->text, text, length);
  line->text[length] = '\0';
}

void read_lines(FILE* file, struct lines* lines) {
  char* buffer = NULL;
  size_t length = 0;
  size_t capacity = 0;
  int c;
  while ((c = getc(file)) != EOF) {
    if (length == capacity) {
      capacity = capacity == 0 ? 128 : 2 * capacity;
      buffer = grown(buffer, capacity);
    }
    if (c == '\n') {
      append(lines, buffer, length);
      length = 0;
    } else {
      buffer[length++] = (char)c;
    }
  }
  if (length > 0) append(lines, buffer, length);
  free(buffer);
}

void free_lines(struct lines* lines) {
  for (size_t i = 0; i < lines->count; i++) {
    free(lines->items[i].text);
  }
  free(lines->items);
  *lines = (struct lines){0};
}
