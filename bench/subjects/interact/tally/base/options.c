#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPTION_MIN = 256 };

static const struct option long_options[] = {
    {"count", no_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},
    {"ignore-case", no_argument, NULL, 'i'},
    {"min", required_argument, NULL, OPTION_MIN},
    {"repeated", no_argument, NULL, 'd'},
    {"skip-bytes", required_argument, NULL, 's'},
    {"skip-fields", required_argument, NULL, 'f'},
    {"sort", no_argument, NULL, 'S'},
    {"total", no_argument, NULL, 't'},
    {"unique", no_argument, NULL, 'u'},
    {"width", required_argument, NULL, 'w'},
    {NULL, 0, NULL, 0},
};

static void print_help(void) {
  puts("usage: tally [OPTION]... < TEXT");
  puts("Writes one of several equal lines.");
  puts("");
  puts("  -c, --count          write before each line how often it is there");
  puts("  -d, --repeated       only lines that are there more than once");
  puts("  -f, --skip-fields=N  do not compare the first N fields");
  puts("  -i, --ignore-case    small and capital letters are equal");
  puts("      --min=N          only lines that are there at least N times");
  puts("  -s, --skip-bytes=N   do not compare the first N bytes (after the fields)");
  puts("  -S, --sort           sort first");
  puts("  -t, --total          count lines, words and bytes of the input");
  puts("  -u, --unique         only lines that are there once");
  puts("  -w, --width=N        compare N bytes at most");
}

static void fail(const char* what, const char* text) {
  fprintf(stderr, "tally: %s: '%s'\n", what, text);
  exit(EXIT_USAGE);
}

/* The number at `*text`, which then is what follows. */
static size_t read_digits(const char** text, const char* what) {
  const char* here = *text;
  if (!isdigit((unsigned char)*here)) fail(what, *text);
  size_t value = 0;
  while (isdigit((unsigned char)*here)) {
    const size_t digit = (size_t)(*here - '0');
    if (value > (SIZE_MAX - 9) / 10) fail("a number is too large", *text);
    value = 10 * value + digit;
    here++;
  }
  *text = here;
  return value;
}

static size_t read_number(const char* text, const char* what) {
  const char* rest = text;
  const size_t value = read_digits(&rest, what);
  if (*rest != '\0') fail(what, text);
  return value;
}

void read_options(int count, char** arguments, struct options* options) {
  *options = (struct options){.width = SIZE_MAX, .minimum = 1, .maximum = SIZE_MAX};
  bool repeated = false;
  int letter;
  while ((letter = getopt_long(count, arguments, "cdf:his:Stuw:", long_options, NULL)) != -1) {
    switch (letter) {
      case 'c':
        options->count = true;
        break;
      case 'd':
        repeated = true;
        break;
      case 'f':
        options->skip_fields = read_number(optarg, "invalid number of fields");
        break;
      case 'h':
        print_help();
        exit(EXIT_GOOD);
      case 'i':
        options->ignore_case = true;
        break;
      case 's':
        options->skip_bytes = read_number(optarg, "invalid number of bytes");
        break;
      case 'S':
        options->sort = true;
        break;
      case 't':
        options->total = true;
        break;
      case 'u':
        options->unique = true;
        break;
      case 'w':
        options->width = read_number(optarg, "invalid width");
        break;
      case OPTION_MIN:
        options->minimum = read_number(optarg, "invalid minimum");
        break;
      default:
        exit(EXIT_USAGE);
    }
  }
  if (optind < count) fail("no arguments are taken", arguments[optind]);
  if (repeated && options->minimum < 2) options->minimum = 2;
  if (options->unique) {
    options->maximum = 1;
  }
}
