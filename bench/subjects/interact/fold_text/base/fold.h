/* Breaks one line into several. */
#ifndef FOLD_TEXT_FOLD_H
#define FOLD_TEXT_FOLD_H

#include <stddef.h>
#include <stdio.h>

#include "line.h"
#include "options.h"

struct folder {
  const struct options* options;
  FILE* out;
  size_t written; /* lines */
};

void fold_line(struct folder* folder, const struct line* line);

/* As it is. */
void pass_line(struct folder* folder, const struct line* line);

#endif
