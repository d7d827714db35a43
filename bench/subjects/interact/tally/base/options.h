/* What the user asked for. */
#ifndef TALLY_OPTIONS_H
#define TALLY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum {
  EXIT_GOOD = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
};

struct options {
  bool count;  /* write the count before each line */
  bool sort;   /* equal lines need not stand together */
  bool total;  /* write lines, words and bytes at the end */
  bool unique; /* only lines that are there once */
  bool ignore_case;
  size_t skip_fields; /* first, */
  size_t skip_bytes;  /* then, */
  size_t width;       /* and compare that many bytes */
  size_t minimum;     /* of the counts that are written */
  size_t maximum;
};

/* Exits with a message if the command line is wrong. */
void read_options(int count, char** arguments, struct options* options);

#endif
