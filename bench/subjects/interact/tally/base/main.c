/* tally: writes one of several equal lines of its standard input, and how many there are. */
#include <stdio.h>

#include "keys.h"
#include "lines.h"
#include "options.h"
#include "totals.h"

static void write_group(const struct options* options, const struct line* first, size_t count) {
  if (count < options->minimum || count > options->maximum) return;
  if (options->count) printf("%7zu ", count);
  fwrite(first->text, 1, first->length, stdout);
  putchar('\n');
}

static void write_groups(const struct options* options, const struct lines* lines) {
  size_t first = 0;
  while (first < lines->count) {
    size_t end = first + 1;
    while (end < lines->count && compare_keys(options, &lines->items[first], &lines->items[end]) == 0) {
      end++;
    }
    write_group(options, &lines->items[first], end - first);
    first = end;
  }
}

int main(int argc, char** argv) {
  struct options options;
  read_options(argc, argv, &options);

  struct lines lines = {0};
  read_lines(stdin, &lines);
  if (options.sort) sort_by_key(&options, &lines);
  write_groups(&options, &lines);
  if (options.total) {
    const struct totals totals = count_totals(&lines);
    print_totals(&totals, stdout);
  }
  free_lines(&lines);

  if (ferror(stdin) || fflush(stdout) != 0) {
    perror("tally");
    return EXIT_FAILED;
  }
  return EXIT_GOOD;
}
