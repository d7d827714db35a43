#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const struct option long_options[] = {
    {"complement", no_argument, NULL, 'c'},
    {"delete", no_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"squeeze", no_argument, NULL, 's'},
    {"truncate", no_argument, NULL, 't'},
    {"verbose", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

static void print_help(void) {
  puts("usage: translate [OPTION]... SET1 [SET2]");
  puts("Copies standard input with characters of SET1 replaced by those of SET2.");
  puts("");
  puts("  -c, --complement   use the characters that are not in SET1");
  puts("  -d, --delete       leave out the characters of SET1");
  puts("  -s, --squeeze      write repeated characters of the last set once");
  puts("  -t, --truncate     use as many characters of SET1 as SET2 has");
  puts("  -v, --verbose      count what was done");
  puts("");
  puts("In a set: a-z is a range, [:digit:] a class, \\n, \\t, \\\\ and \\123 as in C.");
}

static void fail(const char* message) {
  fprintf(stderr, "translate: %s\n", message);
  exit(EXIT_USAGE);
}

static void read_sets(int count, char** arguments, struct options* options) {
  if (count == 0) fail("a set is missing");
  if (count > 2) fail("there are too many sets");
  options->set1 = arguments[0];
  options->set2 = count == 2 ? arguments[1] : NULL;
}

static void check(const struct options* options) {
  const bool two_sets = options->set2 != NULL;
  if (options->delete) {
    if (options->squeeze && !two_sets) fail("a second set is needed to delete and to squeeze");
    if (!options->squeeze && two_sets) fail("a second set has no use when deleting");
    if (options->truncate) fail("there is nothing to truncate when deleting");
    return;
  }
  if (!options->squeeze && !two_sets) fail("a second set is needed to translate");
  if (options->truncate && !two_sets) fail("there is nothing to truncate without a second set");
}

void read_options(int count, char** arguments, struct options* options) {
  *options = (struct options){0};
  int letter;
  while ((letter = getopt_long(count, arguments, "cdhstv", long_options, NULL)) != -1) {
    switch (letter) {
      case 'c':
        options->complement = true;
        break;
      case 'd':
        options->delete = true;
        break;
      case 'h':
        print_help();
        exit(EXIT_GOOD);
      case 's':
        options->squeeze = true;
        break;
      case 't':
        options->truncate = true;
        break;
      case 'v':
        options->verbose = true;
        break;
      default:
        exit(EXIT_USAGE);
    }
  }
  read_sets(count - optind, arguments + optind, options);
  check(options);
}
