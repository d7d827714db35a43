#include "line.h"

#include <stdio.h>
#include <stdlib.h>

#include "message.h"

static void append(struct line* line, char c) {
  if (line->length + 1 >= line->capacity) {
    const size_t capacity = line->capacity == 0 ? 64 : line->capacity * 2;
    char* const text = realloc(line->text, capacity);
    if (text == NULL) fail("a line is too long for the memory");
    line->text = text;
    line->capacity = capacity;
  }
  line->text[line->length++] = c;
  line->text[line->length] = '\0';
}

bool read_line(struct line* line, char end) {
  line->length = 0;
  line->was_ended = false;
  if (line->text != NULL) line->text[0] = '\0';
  for (;;) {
    const int c = getchar();
    if (c == EOF) break;
    if (c == (unsigned char)end) {
      line->was_ended = true;
      return true;
    }
    append(line, (char)c);
  }
  if (ferror(stdin)) fail("standard input cannot be read");
  return line->length > 0;
}

void release_line(struct line* line) {
  free(line->text);
  line->text = NULL;
  line->length = 0;
  line->capacity = 0;
}
