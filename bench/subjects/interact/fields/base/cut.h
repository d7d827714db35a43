// Cutting lines: what is selected of each is written to standard output.
#pragma once

#include <stdbool.h>

#include "line.h"
#include "list.h"

enum unit { UNIT_NONE, UNIT_BYTES, UNIT_COLUMNS, UNIT_FIELDS };

enum { TAB_WIDTH = 8 };

struct settings {
  enum unit unit;
  struct list list;
  char delimiter;                // between fields of the input
  const char* output_delimiter;  // between what was apart in the input; NULL: none was asked for
  bool only_delimited;           // lines without a delimiter are left out
  char line_end;
};

void cut_line(const struct settings* settings, const struct line* line);
