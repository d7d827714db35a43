/* The part of a line that is compared. */
#ifndef TALLY_KEYS_H
#define TALLY_KEYS_H

#include <stdbool.h>

#include "lines.h"
#include "options.h"

/* Less than, equal to or greater than zero. */
int compare_keys(const struct options* options, const struct line* a, const struct line* b);

/* Lines with equal keys stay in their order. */
void sort_by_key(const struct options* options, struct lines* lines);

#endif
