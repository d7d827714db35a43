/* What the user asked for. */
#ifndef FOLD_TEXT_OPTIONS_H
#define FOLD_TEXT_OPTIONS_H

#include <stdbool.h>

enum {
  EXIT_GOOD = 0,
  EXIT_USAGE = 2,
};

struct options {
  int width;          /* columns of an output line, the indentation among them */
  int tab;            /* distance of tab stops */
  int indent;         /* blanks before each output line */
  bool bytes;         /* every byte takes one column */
  bool spaces;        /* break where there is a blank, if possible */
  bool join;          /* lines of a paragraph are one */
  bool verbose;       /* say at the end how many lines there were */
  const char* prefix; /* only lines that begin so are folded; NULL: all of them */
};

/* Exits with a message if the command line is wrong. */
void read_options(int count, char** arguments, struct options* options);

#endif
