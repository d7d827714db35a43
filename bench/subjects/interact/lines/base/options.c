#include "options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option long_options[] = {
    {"numeric", no_argument, NULL, 'n'},
    {"reverse", no_argument, NULL, 'r'},
    {"unique", no_argument, NULL, 'u'},
    {"check", no_argument, NULL, 'c'},
    {"fold-case", no_argument, NULL, 'f'},
    {"ignore-blanks", no_argument, NULL, 'b'},
    {"stable", no_argument, NULL, 's'},
    {"field-separator", required_argument, NULL, 't'},
    {"key", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char help_text[] =
    "usage: lines [OPTION]...\n"
    "Writes the lines of standard input in order.\n"
    "\n"
    "  -n, --numeric            by the numbers they begin with\n"
    "  -r, --reverse            the largest first\n"
    "  -f, --fold-case          small and capital letters are the same\n"
    "  -b, --ignore-blanks      not by the blanks they begin with\n"
    "  -k, --key=F.C,F.C        by what is from one field's character to another's; several are compared in\n"
    "                           turn; n, r, f and b may follow a position\n"
    "  -t, --field-separator=C  between fields; else they begin with blanks\n"
    "  -u, --unique             of the same lines only the first\n"
    "  -s, --stable             lines with the same keys stay as they are\n"
    "  -c, --check              only tells the first line that is out of order\n"
    "  -h, --help               this text\n";

void give_up(const char* what, const char* about) {
  fflush(stdout);
  if (about == NULL)
    fprintf(stderr, "lines: %s\n", what);
  else
    fprintf(stderr, "lines: %s: '%s'\n", what, about);
  exit(STATUS_TROUBLE);
}

// Reads a number of a key, and leaves `*at` behind it.
static size_t read_position(const char** at, const char* definition) {
  if (!isdigit((unsigned char)**at)) give_up("a number is missing in the key", definition);
  size_t position = 0;
  for (; isdigit((unsigned char)**at); ++*at) {
    position = position * 10 + (size_t)(**at - '0');
    if (position > MOST_POSITION) give_up("a number is too large in the key", definition);
  }
  return position;
}

static void read_manner(const char** at, struct key* key) {
  for (;; ++*at) {
    switch (**at) {
      case 'n':
        key->manner.numeric = true;
        break;
      case 'r':
        key->manner.reverse = true;
        break;
      case 'f':
        key->manner.fold = true;
        break;
      case 'b':
        key->manner.skip_blanks = true;
        break;
      default:
        return;
    }
    key->has_manner = true;
  }
}

static void read_key(const char* definition, struct settings* settings) {
  if (settings->key_count == MOST_KEYS) give_up("this is one key too many", definition);
  struct key* const key = &settings->keys[settings->key_count++];
  memset(key, 0, sizeof *key);
  const char* at = definition;
  key->first_field = read_position(&at, definition);
  key->first_character = 1;
  if (*at == '.') {
    ++at;
    key->first_character = read_position(&at, definition);
  }
  if (key->first_field == 0 || key->first_character == 0)
    give_up("fields and characters count from 1", definition);
  read_manner(&at, key);
  if (*at == ',') {
    ++at;
    key->last_field = read_position(&at, definition);
    if (key->last_field == 0) give_up("fields count from 1", definition);
    if (*at == '.') {
      ++at;
      key->last_character = read_position(&at, definition);
    }
    read_manner(&at, key);
  }
  if (*at != '\0') give_up("the key has something behind it", definition);
}

static int read_separator(const char* text) {
  if (text[0] == '\0') give_up("the field separator is empty", NULL);
  if (text[1] != '\0') give_up("the field separator has several characters", text);
  return (unsigned char)text[0];
}

static void complete_keys(struct settings* settings) {
  if (settings->key_count == 0) {
    settings->keys[0] = (struct key){.first_field = 1, .first_character = 1};
    settings->key_count = 1;
  }
  for (size_t i = 0; i < settings->key_count; ++i) {
    if (!settings->keys[i].has_manner) settings->keys[i].manner = settings->manner;
  }
}

void read_options(int count, char** arguments, struct settings* settings) {
  int option;
  memset(settings, 0, sizeof *settings);
  settings->separator = -1;
  while ((option = getopt_long(count, arguments, "nrucfbst:k:h", long_options, NULL)) != -1) {
    switch (option) {
      case 'n':
        settings->manner.numeric = true;
        break;
      case 'r':
        settings->manner.reverse = true;
        break;
      case 'f':
        settings->manner.fold = true;
        break;
      case 'b':
        settings->manner.skip_blanks = true;
        break;
      case 'u':
        settings->unique = true;
        break;
      case 's':
        settings->stable = true;
        break;
      case 'c':
        settings->check = true;
        break;
      case 't':
        settings->separator = read_separator(optarg);
        break;
      case 'k':
        read_key(optarg, settings);
        break;
      case 'h':
        fputs(help_text, stdout);
        exit(EXIT_SUCCESS);
      default:
        give_up("--help shows the options", NULL);
    }
  }
  if (optind < count) give_up("this argument has no meaning", arguments[optind]);
  complete_keys(settings);
}
