// Sorting, and what follows from the order.
#pragma once

#include "options.h"
#include "text.h"

// Merge sort: lines that compare as equal stay as they are.
void sort_lines(const struct settings* settings, struct text* text);

// Of neighbours with the same keys, only the first is kept.
void drop_repeated(const struct settings* settings, struct text* text);

// The index of the first line that must not follow the one before; the count of lines if there is none.
size_t find_disorder(const struct settings* settings, const struct text* text);
