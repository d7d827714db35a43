// lines: writes the lines of standard input in order.
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "order.h"
#include "text.h"

static int check_order(const struct settings* settings, const struct text* text) {
  const size_t at = find_disorder(settings, text);
  if (at == text->count) return EXIT_SUCCESS;
  fprintf(stderr, "lines: line %zu is out of order: ", at + 1);
  fwrite(text->lines[at].text, 1, text->lines[at].length, stderr);
  fputc('\n', stderr);
  return STATUS_DISORDER;
}

static void write_sorted(const struct settings* settings, struct text* text) {
  sort_lines(settings, text);
  if (settings->unique) drop_repeated(settings, text);
  for (size_t i = 0; i < text->count; ++i) write_line(&text->lines[i]);
  if (fflush(stdout) != 0) give_up("standard output cannot be written", NULL);
}

int main(int count, char** arguments) {
  struct settings settings;
  struct text text;
  int status = EXIT_SUCCESS;
  read_options(count, arguments, &settings);
  read_text(&text);
  if (settings.check)
    status = check_order(&settings, &text);
  else
    write_sorted(&settings, &text);
  release_text(&text);
  return status;
}
