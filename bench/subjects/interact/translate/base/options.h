/* The command line: what is to be done, and the texts of the two sets. */
#ifndef TRANSLATE_OPTIONS_H
#define TRANSLATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum {
  EXIT_GOOD = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
};

struct options {
  bool complement; /* SET1 is what it does not name */
  bool delete;
  bool squeeze;
  bool truncate; /* SET1 is as long as SET2 at most */
  bool verbose;
  const char* set1;
  const char* set2; /* NULL: there is none */
};

/* Exits with a message if the command line is wrong. */
void read_options(int count, char** arguments, struct options* options);

#endif
