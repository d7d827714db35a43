// The order of lines: by one key after the other.
#pragma once

#include "options.h"
#include "text.h"

// Less than, equal to or greater than 0. By the keys alone.
int compare_keys(const struct settings* settings, const struct line* a, const struct line* b);

// The same; lines with the same keys are ordered by all their bytes, unless the settings say otherwise.
int compare_lines(const struct settings* settings, const struct line* a, const struct line* b);
