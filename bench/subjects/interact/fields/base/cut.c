#include "cut.h"

#include <stdio.h>
#include <string.h>

static void write_text(const char* text, size_t length) {
  if (length > 0) fwrite(text, 1, length, stdout);
}

static void write_output_delimiter(const struct settings* settings) {
  if (settings->output_delimiter != NULL) fputs(settings->output_delimiter, stdout);
}

static void cut_bytes(const struct settings* settings, const struct line* line) {
  for (size_t i = 0; i < settings->list.count; ++i) {
    const struct range* const range = &settings->list.ranges[i];
    if (range->first > line->length) break;
    const size_t end = range->last < line->length ? range->last : line->length;
    if (i > 0) write_output_delimiter(settings);
    write_text(line->text + range->first - 1, end - range->first + 1);
  }
}

// A tab takes the columns up to the next stop, and is selected by the first of them.
static void cut_columns(const struct settings* settings, const struct line* line) {
  const struct range* previous = NULL;
  uint32_t column = 1;
  size_t hint = 0;
  for (size_t i = 0; i < line->length; ++i) {
    const struct range* const range = find_range(&settings->list, column, &hint);
    if (range != NULL) {
      if (previous != NULL && previous != range) write_output_delimiter(settings);
      putchar(line->text[i]);
      previous = range;
    }
    if (line->text[i] == '\t')
      column += TAB_WIDTH - (column - 1) % TAB_WIDTH;
    else
      ++column;
  }
}

static size_t field_length(const char* text, size_t length, char delimiter) {
  const char* const end = memchr(text, delimiter, length);
  return end == NULL ? length : (size_t)(end - text);
}

// Returns false if nothing at all is to be written for the line.
static bool cut_fields(const struct settings* settings, const struct line* line) {
  if (line->length == 0) return !settings->only_delimited;
  if (memchr(line->text, settings->delimiter, line->length) == NULL) {
    if (settings->only_delimited) return false;
    write_text(line->text, line->length);
    return true;
  }
  bool is_first = true;
  uint32_t number = 1;
  size_t hint = 0;
  for (size_t start = 0; start <= line->length; ++number) {
    const size_t length = field_length(line->text + start, line->length - start, settings->delimiter);
    if (find_range(&settings->list, number, &hint) != NULL) {
      if (!is_first && settings->output_delimiter != NULL) write_output_delimiter(settings);
      if (!is_first && settings->output_delimiter == NULL) putchar(settings->delimiter);
      write_text(line->text + start, length);
      is_first = false;
    }
    start += length + 1;
  }
  return true;
}

void cut_line(const struct settings* settings, const struct line* line) {
  switch (settings->unit) {
    case UNIT_BYTES:
      cut_bytes(settings, line);
      break;
    case UNIT_COLUMNS:
      cut_columns(settings, line);
      break;
    case UNIT_FIELDS:
      if (!cut_fields(settings, line)) return;
      break;
    case UNIT_NONE:
      return;
  }
  putchar(settings->line_end);
}
