#include "fold.h"

#include <ctype.h>
#include <string.h>

/* The column after `c` when `column` columns are before it. */
static int advance(const struct options* options, int column, char c) {
  if (options->bytes) return column + 1;
  switch (c) {
    case '\b':
      return column > 0 ? column - 1 : 0;
    case '\r':
      return 0;
    case '\t':
      return column + options->tab - column % options->tab;
    default:
      return column + 1;
  }
}

static int measure(const struct options* options, const char* text, size_t length) {
  int column = 0;
  for (size_t i = 0; i < length; i++) {
    column = advance(options, column, text[i]);
  }
  return column;
}

static void write_piece(struct folder* folder, const char* text, size_t length) {
  for (int i = 0; i < folder->options->indent; i++) {
    putc(' ', folder->out);
  }
  if (folder->options->prefix != NULL) fputs(folder->options->prefix, folder->out);
  fwrite(text, 1, length, folder->out);
  folder->written++;
}

/* Columns for text, beside what stands before each line. At least one, or nothing would ever be written. */
static int columns_for_text(const struct options* options) {
  int columns = options->width - options->indent;
  if (options->prefix != NULL) {
    const size_t length = strlen(options->prefix);
    columns = (size_t)columns > length ? columns - (int)length : 1;
  }
  return columns;
}

void pass_line(struct folder* folder, const struct line* line) {
  if (line->length > 0) fwrite(line->text, 1, line->length, folder->out);
  if (line->ended) putc('\n', folder->out);
  folder->written++;
}

void fold_line(struct folder* folder, const struct line* line) {
  const struct options* options = folder->options;
  const int columns = columns_for_text(options);
  const char* text = line->text;
  size_t length = line->length;
  if (options->prefix != NULL) {
    const size_t skipped = strlen(options->prefix);
    text += skipped;
    length -= skipped;
  }

  size_t start = 0;    /* of the piece that is being measured */
  size_t break_at = 0; /* where it may end; start or before: nowhere */
  int column = 0;
  size_t i = 0;
  while (i < length) {
    const char c = text[i];
    const int next = advance(options, column, c);
    if (next > columns && i > start) {
      size_t end = i;
      size_t resume = i;
      if (break_at > start) {
        end = break_at;
        resume = break_at;
      }
      write_piece(folder, text + start, end - start);
      putc('\n', folder->out);
      start = resume;
      column = measure(options, text + start, i - start);
      continue;
    }
    column = next;
    if (options->spaces && isblank((unsigned char)c)) break_at = i + 1;
    i++;
  }
  if (length == 0 && options->prefix == NULL) {
    folder->written++;
  } else {
    write_piece(folder, text + start, length - start);
  }
  if (line->ended) putc('\n', folder->out);
}
