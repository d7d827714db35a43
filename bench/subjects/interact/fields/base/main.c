// fields: writes the selected bytes, columns or fields of each line of standard input.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "line.h"
#include "list.h"
#include "message.h"

enum { OPTION_COMPLEMENT = 256, OPTION_OUTPUT_DELIMITER, OPTION_HELP };

static const struct option long_options[] = {
    {"bytes", required_argument, NULL, 'b'},
    {"columns", required_argument, NULL, 'c'},
    {"fields", required_argument, NULL, 'f'},
    {"delimiter", required_argument, NULL, 'd'},
    {"only-delimited", no_argument, NULL, 's'},
    {"complement", no_argument, NULL, OPTION_COMPLEMENT},
    {"output-delimiter", required_argument, NULL, OPTION_OUTPUT_DELIMITER},
    {"zero-terminated", no_argument, NULL, 'z'},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct request {
  struct settings settings;
  const char* list;
  bool has_delimiter;
  bool complement;
};

static void show_help(void) {
  fputs(
      "usage: fields -b LIST | -c LIST | -f LIST [OPTION]...\n"
      "Writes the selected parts of each line of standard input.\n"
      "\n"
      "  -b, --bytes=LIST             these bytes\n"
      "  -c, --columns=LIST           these columns; tabs go to every eighth\n"
      "  -f, --fields=LIST            these fields; also lines without a delimiter\n"
      "  -d, --delimiter=C            between fields, instead of TAB\n"
      "  -s, --only-delimited         with -f, no lines without a delimiter\n"
      "      --complement             all but what is selected\n"
      "      --output-delimiter=TEXT  between ranges, or fields\n"
      "  -z, --zero-terminated        lines end with a NUL\n"
      "      --help                   this text\n"
      "\n"
      "LIST is N, N-M, N- or -M, or several of these with commas between them.\n",
      stdout);
}

static void choose_unit(struct request* request, enum unit unit, const char* list) {
  if (request->settings.unit != UNIT_NONE) fail_usage("only one list can be given");
  request->settings.unit = unit;
  request->list = list;
}

static char parse_delimiter(const char* text) {
  if (strlen(text) > 1) fail_usage("the delimiter must be a single character");
  return text[0];
}

static void parse_options(struct request* request, int count, char** arguments) {
  int option;
  while ((option = getopt_long(count, arguments, "b:c:f:d:sz", long_options, NULL)) != -1) {
    switch (option) {
      case 'b':
        choose_unit(request, UNIT_BYTES, optarg);
        break;
      case 'c':
        choose_unit(request, UNIT_COLUMNS, optarg);
        break;
      case 'f':
        choose_unit(request, UNIT_FIELDS, optarg);
        break;
      case 'd':
        request->settings.delimiter = parse_delimiter(optarg);
        request->has_delimiter = true;
        break;
      case 's':
        request->settings.only_delimited = true;
        break;
      case 'z':
        request->settings.line_end = '\0';
        break;
      case OPTION_COMPLEMENT:
        request->complement = true;
        break;
      case OPTION_OUTPUT_DELIMITER:
        request->settings.output_delimiter = optarg;
        break;
      case OPTION_HELP:
        show_help();
        exit(STATUS_OK);
      default:
        fail_usage("this option cannot be used");
    }
  }
  if (optind < count) fail_usage("'%s' is one argument too many", arguments[optind]);
}

static void check_request(const struct request* request) {
  const enum unit unit = request->settings.unit;
  if (unit == UNIT_NONE) fail_usage("a list of bytes, columns or fields is needed");
  if (unit != UNIT_FIELDS && request->has_delimiter) fail_usage("a delimiter goes with fields only");
  if (unit != UNIT_FIELDS && request->settings.only_delimited)
    fail_usage("lines without delimiters can be left out with fields only");
}

int main(int count, char** arguments) {
  struct request request = {.settings = {.delimiter = '\t', .line_end = '\n'}};
  set_program_name(arguments[0]);
  parse_options(&request, count, arguments);
  check_request(&request);
  struct settings* const settings = &request.settings;
  parse_list(&settings->list, request.list);
  finish_list(&settings->list);
  if (request.complement) complement_list(&settings->list);

  struct line line = {0};
  while (read_line(&line, settings->line_end)) cut_line(settings, &line);
  release_line(&line);
  release_list(&settings->list);
  if (fflush(stdout) != 0) fail("standard output cannot be written");
  return STATUS_OK;
}
