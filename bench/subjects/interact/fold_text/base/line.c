#include "line.h"

#include <stdlib.h>
#include <string.h>

static void append(struct line* line, char c) {
  if (line->length == line->capacity) {
    line->capacity = line->capacity == 0 ? 80 : 2 * line->capacity;
    line->text = realloc(line->text, line->capacity);
    if (line->text == NULL) {
      fputs("fold_text: out of memory\n", stderr);
      exit(1);
    }
  }
  line->text[line->length++] = c;
}

void free_line(struct line* line) {
  free(line->text);
  *line = (struct line){0};
}

bool read_line(FILE* file, struct line* line) {
  line->length = 0;
  line->ended = false;
  int c;
  while ((c = getc(file)) != EOF) {
    if (c == '\n') {
      line->ended = true;
      return true;
    }
    append(line, (char)c);
  }
  return line->length > 0;
}

/* What the next character is, without taking it. */
static int peek(FILE* file) {
  const int c = getc(file);
  if (c != EOF) ungetc(c, file);
  return c;
}

bool read_paragraph(FILE* file, struct line* line) {
  if (!read_line(file, line)) return false;
  if (line->length == 0) return true;
  while (line->ended) {
    const int next = peek(file);
    if (next == EOF || next == '\n') break;
    append(line, ' ');
    line->ended = false;
    int c;
    while ((c = getc(file)) != EOF) {
      if (c == '\n') {
        line->ended = true;
        break;
      }
      append(line, (char)c);
    }
  }
  return true;
}

bool line_begins_with(const struct line* line, const char* text) {
  const size_t length = strlen(text);
  return line->length >= length && memcmp(line->text, text, length) == 0;
}
