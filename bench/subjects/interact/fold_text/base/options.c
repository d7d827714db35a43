#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  DEFAULT_WIDTH = 72,
  DEFAULT_TAB = 8,
  LARGEST_TAB = 1024,
  LARGEST_INDENT = 1024,
};

static const struct option long_options[] = {
    {"bytes", no_argument, NULL, 'b'},        {"help", no_argument, NULL, 'h'},
    {"indent", required_argument, NULL, 'i'}, {"join", no_argument, NULL, 'j'},
    {"prefix", required_argument, NULL, 'p'}, {"spaces", no_argument, NULL, 's'},
    {"tab", required_argument, NULL, 't'},    {"verbose", no_argument, NULL, 'v'},
    {"width", required_argument, NULL, 'w'},  {NULL, 0, NULL, 0},
};

static void print_help(void) {
  puts("usage: fold_text [OPTION]... < TEXT");
  puts("Breaks lines that are too long.");
  puts("");
  puts("  -b, --bytes        count bytes, not columns");
  puts("  -i, --indent=N     write N blanks before each line");
  puts("  -j, --join         join the lines of a paragraph first");
  puts("  -p, --prefix=TEXT  fold only lines that begin with TEXT, and repeat it");
  puts("  -s, --spaces       break at blanks");
  puts("  -t, --tab=N        tab stops are N columns apart (8)");
  puts("  -v, --verbose      say how many lines were read and written");
  puts("  -w, --width=N      lines have at most N columns (72)");
}

static void fail(const char* what, const char* text) {
  fprintf(stderr, "fold_text: %s: '%s'\n", what, text);
  exit(EXIT_USAGE);
}

/* A number from `least` to `most`, or the end of the program. */
static int read_number(const char* text, int least, int most, const char* what) {
  char* end = NULL;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0') fail(what, text);
  if (errno == ERANGE || value < least || value > most) fail(what, text);
  return (int)value;
}

/* Options that contradict each other. */
static void settle(struct options* options) {
  if (options->indent >= options->width) {
    options->indent = options->width - 1;
  }
  if (options->prefix != NULL && *options->prefix == '\0') {
    options->prefix = NULL;
  }
  if (options->join && options->prefix != NULL) {
    fail("lines with a prefix cannot be joined", options->prefix);
  }
}

void read_options(int count, char** arguments, struct options* options) {
  *options = (struct options){.width = DEFAULT_WIDTH, .tab = DEFAULT_TAB};
  int letter;
  while ((letter = getopt_long(count, arguments, "bhi:jp:st:vw:", long_options, NULL)) != -1) {
    switch (letter) {
      case 'b':
        options->bytes = true;
        break;
      case 'h':
        print_help();
        exit(EXIT_GOOD);
      case 'i':
        options->indent = read_number(optarg, 0, LARGEST_INDENT, "invalid indentation");
        break;
      case 'j':
        options->join = true;
        break;
      case 'p':
        options->prefix = optarg;
        break;
      case 's':
        options->spaces = true;
        break;
      case 't':
        options->tab = read_number(optarg, 1, LARGEST_TAB, "invalid distance of tab stops");
        break;
      case 'v':
        options->verbose = true;
        break;
      case 'w':
        options->width = read_number(optarg, 1, INT_MAX, "invalid width");
        break;
      default:
        exit(EXIT_USAGE);
    }
  }
  if (optind < count) fail("no arguments are taken", arguments[optind]);
  settle(options);
}
