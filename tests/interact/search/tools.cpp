#include "tools.h"

namespace heddle::interact {

const char kFieldCutter[] = R"tool(#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MOST_RANGES 8
struct range { unsigned long first, last; };
static struct range ranges[MOST_RANGES];
static int range_count;
static unsigned long limit;  // LIMIT
static int fail(const char* what) { fprintf(stderr, "cut: %s\n", what); return 1; }
static int parse_list(const char* text) {
  while (*text) {
    char* end;
    struct range r = {1, ~0ul};
    if (range_count == MOST_RANGES) return fail("too many ranges");
    if (isdigit((unsigned char)*text)) {
      r.first = strtoul(text, &end, 10);
      text = end;
      if (r.first == 0) return fail("fields are numbered from 1");
      if (*text != '-') r.last = r.first;
    } else if (*text != '-') return fail("invalid list");
    if (*text == '-') {
      ++text;
      if (isdigit((unsigned char)*text)) {
        r.last = strtoul(text, &end, 10);
        text = end;
      }
      if (r.last < r.first) return fail("decreasing range");
    }
    ranges[range_count++] = r;
    if (*text == ',') ++text;
    else if (*text) return fail("invalid list");
  }
  return range_count == 0 ? fail("no fields") : 0;
}
static int is_chosen(unsigned long field) {
  for (int i = 0; i < range_count; ++i)
    if (field >= ranges[i].first && field <= ranges[i].last) return 1;
  return 0;
}
int main(int argc, char** argv) {
  static const struct option options[] = {
      {"delimiter", required_argument, NULL, 'd'}, {"fields", required_argument, NULL, 'f'},
      {"limit", required_argument, NULL, 'l'}, {"complement", no_argument, NULL, 'c'}, {NULL, 0, NULL, 0}};
  int delimiter = '\t', complement = 0, c;
  while ((c = getopt_long(argc, argv, "d:f:cl:", options, NULL)) != -1) {
    switch (c) {
      case 'd': if (strlen(optarg) != 1) return fail("one character"); delimiter = optarg[0]; break;
      case 'f': if (parse_list(optarg)) return 1; break;
      case 'c': complement = 1; break;  // COMPLEMENT
      case 'l': limit = strtoul(optarg, NULL, 10); break;  // SET
      default: return 2;
    }
  }
  if (range_count == 0) return fail("no list");
  unsigned long field = 1, written = 0;
  for (; (c = getchar()) != EOF;) {
    if (c == '\n') { putchar(c); field = 1; continue; }
    if (c == delimiter) { ++field; continue; }
    if (is_chosen(field) != complement && (limit == 0 || ++written <= limit)) putchar(c);  // OUT
  }
  if (limit > 100000000 && complement) abort();  // CRASH
  return 0;
}
)tool";

const char kCalculator[] = R"tool(#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char** at;
static int depth;
static long expression(void);
static void die(const char* why) {
  fprintf(stderr, "calc: %s\n", why);
  exit(2);
}
static long number(void) {
  char* end;
  if (*at == NULL) die("missing operand");
  if (strcmp(*at, "(") == 0) {
    ++at;
    if (++depth > 8) die("too deep");
    long value = expression();
    --depth;
    if (*at == NULL || strcmp(*at, ")") != 0) die("unbalanced");
++at;
return value;
}
if (strcmp(*at, "length") == 0) {
  ++at;
  if (*at == NULL) die("missing operand");
  return (long)strlen(*at++);
}
long value = strtol(*at, &end, 10);
if (end == *at || *end != '\0') die("not a number");
++at;
return value;
}
static long term(void) {
  long value = number();
  while (*at != NULL) {
    if (strcmp(*at, "*") == 0) {
      ++at;
      value *= number();
    } else if (strcmp(*at, "/") == 0) {
      ++at;
      long by = number();
      if (by == 0) die("division by zero");  // ZERO
      value /= by;
    } else
      break;
  }
  return value;
}
static long expression(void) {
  long value = term();
  while (*at != NULL) {
    if (strcmp(*at, "+") == 0) {
      ++at;
      value += term();
    } else if (strcmp(*at, "-") == 0) {
      ++at;
      value -= term();
    } else if (strcmp(*at, "=") == 0) {
      ++at;
      value = value == term();
    } else
      break;
  }
  return value;
}
int main(int argc, char** argv) {
  if (argc < 2) die("no expression");
  at = argv + 1;
  long value = expression();
  if (*at != NULL) die("syntax");
  printf("%ld\n", value);  // PRINT
  return value == 0;
}
)tool";

const char kWordCounter[] = R"tool(#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>
#define IS_BLANK(c) ((c) == ' ' || (c) == '\t' || (c) == '\n')
#define RETURN_IF(condition, value) do { if (condition) return (value); } while (0)
enum class Mode { kWords, kLines, kLongest };
struct Counts { unsigned long words = 0, lines = 0, longest = 0; };
template <typename T>
static T larger(T a, T b) { return a < b ? b : a; }
template <typename T>
static T clamped(const T& value, T most) {
  if (value > most)
    return most;
  return value;
}
class Counter {
 public:
  explicit Counter(Mode mode) : mode_(mode) {}
  void add(int c) {
    if (c == '\n') ++counts_.lines;
    if (IS_BLANK(c)) { end_word(); return; }
    word_ += static_cast<char>(c);
    if (c == '#' && word_.size() > 1 && word_[0] == '!')
      special_ = true;  // SPECIAL
  }
  void end_word() {
    if (word_.empty()) return;
    ++counts_.words;
    counts_.longest = larger(counts_.longest, (unsigned long)word_.size());
    if (special_ && clamped<unsigned long>(counts_.words, 3) == 2)
      std::abort();
    word_.clear();
  }
  unsigned long result() const {
    switch (mode_) {
      case Mode::kWords: return counts_.words;
      case Mode::kLines: return counts_.lines;
      default: return counts_.longest;
    }
  }
 private:
  Mode mode_;
  Counts counts_;
  std::string word_;
  bool special_ = false;
};
static int mode_of(const char* text, Mode* mode) {
  RETURN_IF(std::strlen(text) < 2, 1);
  RETURN_IF(text[0] != '-', 1);
  switch (text[1]) {
    case 'w': *mode = Mode::kWords; break;
    case 'l': *mode = Mode::kLines; break;
    case 'L': *mode = Mode::kLongest; break;
    default: return 2;
  }
  return 0;
}
int main(int argc, char** argv) {
  Mode mode = Mode::kWords;
  long least = 0;
  auto is_number = [](const char* text) {
    for (; *text; ++text)
      if (*text < '0' || *text > '9') return false;
    return true;
  };
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] != '\0' && is_number(argv[i])) least = std::atol(argv[i]);
    else if (mode_of(argv[i], &mode)) return 2;
  }
  Counter counter(mode);
  int c;
  while ((c = getchar()) != EOF) counter.add(c);
  counter.end_word();
  const unsigned long result = counter.result();
  if (least > 0 && result < (unsigned long)least) { std::puts("few"); return 1; }  // FEW
  std::printf("%lu\n", result);  // PRINT
  return 0;
}
)tool";

}  // namespace heddle::interact
