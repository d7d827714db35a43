/* translate: replaces, deletes and squeezes characters of its standard input. */
#include <stdio.h>

#include "options.h"
#include "table.h"

static void report(const struct counts* counts) {
  fprintf(stderr, "translate: %zu read, %zu changed, %zu deleted, %zu squeezed\n", counts->read,
          counts->changed, counts->deleted, counts->squeezed);
}

int main(int argc, char** argv) {
  struct options options;
  read_options(argc, argv, &options);

  struct table table;
  make_table(&options, &table);

  struct counts counts = {0};
  apply_table(&table, stdin, stdout, &counts);
  if (options.verbose) report(&counts);

  if (ferror(stdin) || fflush(stdout) != 0) {
    perror("translate");
    return EXIT_FAILED;
  }
  return EXIT_GOOD;
}
