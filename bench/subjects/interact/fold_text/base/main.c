/* fold_text: breaks the lines of its standard input that are too long. */
#include <stdio.h>

#include "fold.h"
#include "line.h"
#include "options.h"

enum { EXIT_FAILED = 1 };

static void report(size_t read, size_t written) {
  fprintf(stderr, "fold_text: %zu read, %zu written\n", read, written);
}

int main(int argc, char** argv) {
  struct options options;
  read_options(argc, argv, &options);

  struct folder folder = {.options = &options, .out = stdout};
  struct line line = {0};
  size_t read = 0;
  while (options.join ? read_paragraph(stdin, &line) : read_line(stdin, &line)) {
    read++;
    if (options.prefix != NULL && !line_begins_with(&line, options.prefix)) {
      pass_line(&folder, &line);
    } else {
      fold_line(&folder, &line);
    }
  }
  free_line(&line);

  if (options.verbose) report(read, folder.written);
  if (ferror(stdin) || fflush(stdout) != 0) {
    perror("fold_text");
    return EXIT_FAILED;
  }
  return EXIT_GOOD;
}
