#include "options.h"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const option kLongOptions[] = {
    {"help", no_argument, nullptr, 'h'},
    {"lines", no_argument, nullptr, 'l'},
    {"round", required_argument, nullptr, 'r'},
    {"suffix", required_argument, nullptr, 's'},
    {nullptr, 0, nullptr, 0},
};

void print_help() {
  std::puts("usage: template_fill [OPTION]... FORMAT [ARGUMENT]...");
  std::puts("Writes FORMAT with its directives replaced by arguments, again and again until none is left.");
  std::puts("");
  std::puts("  -l, --lines        write a line feed after each use of FORMAT");
  std::puts("  -r, --round=WHERE  round numbers with a unit up or down (down)");
  std::puts("  -s, --suffix=TEXT  write TEXT behind each number");
  std::puts("");
  std::puts("A directive is %[FLAGS][WIDTH]TYPE. Types: d a number, x a number in hexadecimal digits,");
  std::puts("h a number with a unit (k, M, ...), i a number with a binary unit (Ki, Mi, ...), s a text,");
  std::puts("c its first character, % a percent sign. Flags: - to the left, 0 zeros, + a sign, ' groups.");
}

[[noreturn]] void fail(const char* what, const char* text) {
  std::fprintf(stderr, "template_fill: %s: '%s'\n", what, text);
  std::exit(kExitUsage);
}

Rounding read_rounding(const char* text) {
  if (std::strcmp(text, "down") == 0) return Rounding::kDown;
  if (std::strcmp(text, "up") == 0) return Rounding::kUp;
  fail("numbers are rounded up or down, not", text);
}

}  // namespace

Options read_options(int count, char** arguments) {
  Options options;
  int letter;
  // Arguments may be negative numbers, so options end where the format is.
  while ((letter = getopt_long(count, arguments, "+hlr:s:", kLongOptions, nullptr)) != -1) {
    switch (letter) {
      case 'h':
        print_help();
        std::exit(kExitGood);
      case 'l':
        options.lines = true;
        break;
      case 'r':
        options.rounding = read_rounding(optarg);
        break;
      case 's':
        options.suffix = optarg;
        break;
      default:
        std::exit(kExitUsage);
    }
  }
  if (optind == count) {
    std::fputs("template_fill: a format is missing\n", stderr);
    std::exit(kExitUsage);
  }
  options.format = arguments[optind++];
  while (optind < count) {
    options.arguments.push_back(arguments[optind++]);
  }
  return options;
}
