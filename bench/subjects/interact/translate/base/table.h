/* What becomes of each character. */
#ifndef TRANSLATE_TABLE_H
#define TRANSLATE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "options.h"
#include "sets.h"

struct table {
  unsigned char result[CHARACTERS];
  bool is_deleted[CHARACTERS];
  bool is_squeezed[CHARACTERS]; /* of results */
};

struct counts {
  size_t read;
  size_t changed;
  size_t deleted;
  size_t squeezed;
};

/* Exits with a message if the sets do not fit. */
void make_table(const struct options* options, struct table* table);

void apply_table(const struct table* table, FILE* in, FILE* out, struct counts* counts);

#endif
