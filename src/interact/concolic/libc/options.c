// getopt.h: as glibc's, with the permutation of arguments, for the program's own optarg, optind, opterr and
// optopt.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "interact/concolic/libc/own.h"

size_t OWN(strlen)(const char* text);
int OWN(strncmp)(const char* a, const char* b, size_t most);
char* OWN(strchr)(const char* text, int c);

enum order { kRequireOrder, kPermute, kReturnInOrder };

// Between calls: the letters that are left of a group, and where arguments lie that are no options, which go
// to the end in the end.
static char* next_letter;
static int first_other, last_other;
static enum order order;
static int is_started;

// Exchanges the arguments [first_other, last_other), which are no options, and [last_other, optind), which
// are.
static void exchange(char** arguments) {
  const int others = last_other - first_other;
  const int options = optind - last_other;
  if (options == 0 || others == 0) {
    first_other += options;
    last_other = optind;
    return;
  }
  for (int i = 0; i < options; ++i) {
    char* const moved = arguments[last_other + i];
    for (int at = last_other + i; at > first_other + i; --at) arguments[at] = arguments[at - 1];
    arguments[first_other + i] = moved;
  }
  first_other += options;
  last_other = optind;
}

static const char* start(const char* letters) {
  if (optind == 0) optind = 1;
  first_other = last_other = optind;
  next_letter = NULL;
  is_started = 1;
  if (letters[0] == '-') {
    order = kReturnInOrder;
    return letters + 1;
  }
  if (letters[0] == '+') {
    order = kRequireOrder;
    return letters + 1;
  }
  order = getenv("POSIXLY_CORRECT") != NULL ? kRequireOrder : kPermute;
  return letters;
}

static int is_option(const char* argument) {
  return argument[0] == '-' && argument[1] != '\0';
}

static int is_same(const char* name, const char* given, size_t length) {
  return OWN(strncmp)(name, given, length) == 0 && OWN(strlen)(name) == length;
}

static int is_ambiguous_with(const struct option* a, const struct option* b) {
  return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

// The option of that name, or the only one whose name begins so. -1: none, -2: several.
static int find_long(const struct option* options, const char* given, size_t length, int only_long) {
  for (int i = 0; options[i].name != NULL; ++i) {
    if (is_same(options[i].name, given, length)) return i;
  }
  int found = -1;
  for (int i = 0; options[i].name != NULL; ++i) {
    if (OWN(strncmp)(options[i].name, given, length) != 0) continue;
    if (found < 0)
      found = i;
    else if (only_long || is_ambiguous_with(&options[found], &options[i]))
      return -2;
  }
  return found;
}

struct request {
  int count;
  char** arguments;
  const char* letters;
  const struct option* options;
  int* index;
  int only_long;
  int is_silent;
};

static int missing(const struct request* request) {
  return request->letters[0] == ':' ? ':' : '?';
}

static int take_long(const struct request* request, const char* prefix) {
  const char* given = next_letter;
  size_t length = 0;
  while (given[length] != '\0' && given[length] != '=') ++length;
  const int found = find_long(request->options, given, length, request->only_long);
  if (found == -1 && request->only_long && request->arguments[optind][1] != '-' &&
      OWN(strchr)(request->letters, *next_letter) != NULL)
    return -1;  // it may be a letter
  char** const arguments = request->arguments;
  next_letter = NULL;
  ++optind;
  if (found < 0) {
    if (!request->is_silent) {
      if (found == -1) {
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", arguments[0], prefix, given);
      } else {
        fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", arguments[0], prefix, given);
        for (int i = 0; request->options[i].name != NULL; ++i) {
          if (OWN(strncmp)(request->options[i].name, given, length) == 0)
            fprintf(stderr, " '%s%s'", prefix, request->options[i].name);
        }
        fprintf(stderr, "\n");
      }
    }
    optopt = 0;
    return '?';
  }
  const struct option* const option = &request->options[found];
  if (given[length] == '=') {
    if (option->has_arg == no_argument) {
      if (!request->is_silent)
        fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", arguments[0], prefix, option->name);
      optopt = option->val;
      return '?';
    }
    optarg = (char*)given + length + 1;
  } else if (option->has_arg == required_argument) {
    if (optind >= request->count) {
      if (!request->is_silent)
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", arguments[0], prefix, option->name);
      optopt = option->val;
      return missing(request);
    }
    optarg = arguments[optind++];
  }
  if (request->index != NULL) *request->index = found;
  if (option->flag != NULL) {
    *option->flag = option->val;
    return 0;
  }
  return option->val;
}

static int take_letter(const struct request* request) {
  const char letter = *next_letter++;
  const char* const place = letter == ':' || letter == ';' ? NULL : OWN(strchr)(request->letters, letter);
  if (*next_letter == '\0') ++optind;
  if (place == NULL) {
    if (!request->is_silent) fprintf(stderr, "%s: invalid option -- '%c'\n", request->arguments[0], letter);
    optopt = (unsigned char)letter;
    return '?';
  }
  const int takes_long = place[0] == 'W' && place[1] == ';' && request->options != NULL;
  if (place[1] != ':' && !takes_long) return letter;
  if (place[1] == ':' && place[2] == ':') {
    optarg = *next_letter != '\0' ? next_letter : NULL;
    if (*next_letter != '\0') ++optind;
    next_letter = NULL;
    return letter;
  }
  int result = letter;
  if (*next_letter != '\0') {
    optarg = next_letter;
    ++optind;
  } else if (optind == request->count) {
    if (!request->is_silent)
      fprintf(stderr, "%s: option requires an argument -- '%c'\n", request->arguments[0], letter);
    optopt = (unsigned char)letter;
    result = missing(request);
  } else {
    optarg = request->arguments[optind++];
  }
  next_letter = NULL;
  if (takes_long && result == letter) {
    next_letter = optarg;
    optarg = NULL;
    --optind;  // take_long() counts it again
    return take_long(request, "-W ");
  }
  return result;
}

// Goes to the next argument that is an option; -1 if there is none, 1 for another one that is to be returned.
static int next_argument(const struct request* request) {
  char** const arguments = request->arguments;
  if (last_other > optind) last_other = optind;
  if (first_other > optind) first_other = optind;
  if (order == kPermute) {
    exchange(arguments);
    while (optind < request->count && !is_option(arguments[optind])) ++optind;
    last_other = optind;
  }
  if (optind != request->count && is_same("--", arguments[optind], OWN(strlen)(arguments[optind]))) {
    ++optind;
    exchange(arguments);
    if (first_other == last_other) first_other = optind;
    last_other = request->count;
    optind = request->count;
  }
  if (optind == request->count) {
    if (first_other != last_other) optind = first_other;
    return -1;
  }
  if (is_option(arguments[optind])) return 0;
  if (order == kRequireOrder) return -1;
  optarg = arguments[optind++];
  return 1;
}

static int take_next(int count, char* const* given, const char* letters, const struct option* options,
                     int* index, int only_long) {
  struct request request = {count, (char**)given, letters, options, index, only_long, 0};
  if (count < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !is_started)
    request.letters = start(letters);
  else if (letters[0] == '-' || letters[0] == '+')
    request.letters = letters + 1;
  request.is_silent = opterr == 0 || request.letters[0] == ':';
  if (next_letter == NULL || *next_letter == '\0') {
    const int end = next_argument(&request);
    if (end != 0) return end;
    char* const argument = given[optind];
    if (options != NULL && argument[1] == '-') {
      next_letter = argument + 2;
      return take_long(&request, "--");
    }
    next_letter = argument + 1;
    const int may_be_long = options != NULL && only_long &&
                            (argument[2] != '\0' || OWN(strchr)(request.letters, argument[1]) == NULL);
    if (may_be_long) {
      const int result = take_long(&request, "-");
      if (result != -1) return result;
    }
  }
  return take_letter(&request);
}

int OWN(getopt)(int count, char* const* arguments, const char* letters) {
  return take_next(count, arguments, letters, NULL, NULL, 0);
}

int OWN(getopt_long)(int count, char* const* arguments, const char* letters, const struct option* options,
                     int* index) {
  return take_next(count, arguments, letters, options, index, 0);
}

int OWN(getopt_long_only)(int count, char* const* arguments, const char* letters,
                          const struct option* options, int* index) {
  return take_next(count, arguments, letters, options, index, 1);
}
