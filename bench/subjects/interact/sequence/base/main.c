// sequence: writes the numbers from FIRST to LAST in steps.
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "number.h"

enum { EXIT_STOPPED = 1, EXIT_USAGE = 2, USUAL_MOST = 50, LARGEST_MOST = 100000 };

struct settings {
  struct number first;
  struct number step;
  struct number last;
  const char* separator;
  const char* terminator;
  struct format format;
  bool equal_width;
  unsigned long most;  // numbers that are written
};

static const struct option long_options[] = {
    {"equal-width", no_argument, NULL, 'w'},
    {"separator", required_argument, NULL, 's'},
    {"terminator", required_argument, NULL, 't'},
    {"format", required_argument, NULL, 'f'},
    {"most", required_argument, NULL, 'm'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char help_text[] =
    "usage: sequence [OPTION]... LAST\n"
    "       sequence [OPTION]... FIRST LAST\n"
    "       sequence [OPTION]... FIRST STEP LAST\n"
    "Writes the numbers from FIRST (or 1) to LAST in steps of STEP (or 1).\n"
    "\n"
    "  -w, --equal-width      zeros before the numbers make them equally long\n"
    "  -s, --separator=TEXT   between numbers, instead of a new line\n"
    "  -t, --terminator=TEXT  behind the last, instead of a new line\n"
    "  -f, --format=FORMAT    how each is written; %n stands for it, %8n with a width\n"
    "  -m, --most=COUNT       stops after so many numbers, instead of 50\n"
    "  -h, --help             this text\n";

static void stop(int status, const char* format, ...) {
  va_list values;
  fflush(stdout);
  fputs("sequence: ", stderr);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputs("\n", stderr);
  exit(status);
}

static struct number operand(const char* text) {
  struct number number = {0};
  const enum number_error error = parse_number(text, &number);
  if (error != NUMBER_OK) stop(EXIT_USAGE, "'%s': %s", text, describe_number_error(error));
  return number;
}

static unsigned long parse_most(const char* text) {
  char* end = NULL;
  const unsigned long most = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || most == 0 || most > LARGEST_MOST)
    stop(EXIT_USAGE, "'%s' is no count from 1 to %d", text, LARGEST_MOST);
  return most;
}

// A negative number is no option.
static bool is_number(const char* argument) {
  return argument[0] == '-' && (argument[1] == '.' || (argument[1] >= '0' && argument[1] <= '9'));
}

// Returns the index of the first operand.
static int parse_options(int count, char** arguments, struct settings* settings) {
  while (optind < count && !is_number(arguments[optind])) {
    const int option = getopt_long(count, arguments, "+ws:t:f:m:h", long_options, NULL);
    if (option == -1) break;
    const char* problem = NULL;
    switch (option) {
      case 'w':
        settings->equal_width = true;
        break;
      case 's':
        settings->separator = optarg;
        break;
      case 't':
        settings->terminator = optarg;
        break;
      case 'f':
        problem = parse_format(optarg, &settings->format);
        if (problem != NULL) stop(EXIT_USAGE, "the format '%s' cannot be used: %s", optarg, problem);
        break;
      case 'm':
        settings->most = parse_most(optarg);
        break;
      case 'h':
        fputs(help_text, stdout);
        exit(EXIT_SUCCESS);
      default:
        stop(EXIT_USAGE, "--help shows the options");
    }
  }
  return optind;
}

static void parse_operands(int count, char** operands, struct settings* settings) {
  if (count < 1) stop(EXIT_USAGE, "the last number is missing");
  if (count > 3) stop(EXIT_USAGE, "'%s' is one number too many", operands[3]);
  settings->last = operand(operands[count - 1]);
  if (count > 1) settings->first = operand(operands[0]);
  if (count == 3) {
    settings->step = operand(operands[1]);
    if (settings->step.units == 0) stop(EXIT_USAGE, "the step must not be 0");
  }
}

// Numbers with the same scale can be added and compared by their units.
static void align_scales(struct settings* settings) {
  unsigned scale = settings->first.scale;
  if (settings->step.scale > scale) scale = settings->step.scale;
  if (settings->last.scale > scale) scale = settings->last.scale;
  rescale(&settings->first, scale);
  rescale(&settings->step, scale);
  rescale(&settings->last, scale);
}

static unsigned common_width(const struct settings* settings) {
  const unsigned first = written_length(&settings->first);
  const unsigned last = written_length(&settings->last);
  return first > last ? first : last;
}

static bool is_beyond(const struct settings* settings, const struct number* number) {
  if (settings->step.units > 0) return number->units > settings->last.units;
  return number->units < settings->last.units;
}

// Returns false if it has stopped before the last number.
static bool write_sequence(const struct settings* settings) {
  const unsigned width = settings->equal_width ? common_width(settings) : 0;
  struct number number = settings->first;
  unsigned long written = 0;
  for (; !is_beyond(settings, &number); number.units += settings->step.units) {
    if (written == settings->most) break;
    char text[LONGEST_NUMBER];
    write_number(&number, width, text);
    if (written++ > 0) fputs(settings->separator, stdout);
    write_formatted(&settings->format, text, stdout);
  }
  if (written > 0) fputs(settings->terminator, stdout);
  return is_beyond(settings, &number);
}

int main(int count, char** arguments) {
  struct settings settings = {
      .first = {1, 0},
      .step = {1, 0},
      .separator = "\n",
      .terminator = "\n",
      .most = USUAL_MOST,
  };
  parse_format("%n", &settings.format);
  const int first = parse_options(count, arguments, &settings);
  parse_operands(count - first, arguments + first, &settings);
  align_scales(&settings);
  if (!write_sequence(&settings)) stop(EXIT_STOPPED, "stopped after %lu numbers", settings.most);
  if (fflush(stdout) != 0) stop(EXIT_STOPPED, "standard output cannot be written");
  return EXIT_SUCCESS;
}
