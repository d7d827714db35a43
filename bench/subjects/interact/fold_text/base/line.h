/* A line of input, without its end. */
#ifndef FOLD_TEXT_LINE_H
#define FOLD_TEXT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct line {
  char* text;
  size_t length;
  size_t capacity;
  bool ended; /* by a line feed; the last one of a file may not be */
};

void free_line(struct line* line);

/* False: there is none. */
bool read_line(FILE* file, struct line* line);

/* Reads lines up to an empty one, with one blank between them. The empty line is read next. */
bool read_paragraph(FILE* file, struct line* line);

bool line_begins_with(const struct line* line, const char* text);

#endif
