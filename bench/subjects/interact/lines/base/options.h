// What the user has asked for.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MOST_KEYS = 8, MOST_POSITION = 1000000, STATUS_DISORDER = 1, STATUS_TROUBLE = 2 };

// How a key is compared.
struct manner {
  bool numeric;
  bool reverse;
  bool fold;         // small and capital letters are the same
  bool skip_blanks;  // at its beginning
};

// From a character of one field to a character of another. All count from 1.
struct key {
  size_t first_field;
  size_t first_character;
  size_t last_field;      // 0: to the end of the line
  size_t last_character;  // 0: to the end of the field
  struct manner manner;
  bool has_manner;  // of its own
};

struct settings {
  struct key keys[MOST_KEYS];
  size_t key_count;      // at least 1, after read_options()
  struct manner manner;  // of keys that have none of their own
  int separator;         // of fields; -1: each begins with its blanks
  bool unique;
  bool stable;  // lines with the same keys stay as they are
  bool check;
};

// Ends the program if they make no sense.
void read_options(int count, char** arguments, struct settings* settings);

_Noreturn void give_up(const char* what, const char* about);
