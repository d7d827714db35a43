// Suppressions: findings that a project does not want to hear of, in ThreadSanitizer's file syntax.
//
//   # why
//   race:Statistics::bump       a function, file, module or variable of the finding; * stands for anything,
//   race_top:^log_              ^ and $ for the beginning and the end; without them a part is enough
//   deadlock:legacy/*.cpp
//
// Kinds are ThreadSanitizer's race, race_top, mutex, deadlock and called_from_lib, and heddle's own
// lost_wakeup and atomicity; thread and signal, of which heddle has no findings, are accepted. A suppression
// that nothing matched is reported: it is out of date, or misspelt.
//
// race_top looks at the innermost frame of a stack only. So does called_from_lib, at its module: in
// ThreadSanitizer it makes the functions that it intercepts do nothing when that library calls them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle {

// What a suppression is compared with: the names of one frame, the innermost frame first in each stack.
struct SuppressibleFrame {
  std::string function;
  std::string file;
  std::string module;
  bool is_top = false;  // of its stack
};

struct Suppressible {
  std::string kind;  // of the finding, as in JSON: "race", "deadlock", …
  std::vector<SuppressibleFrame> frames;
  std::vector<std::string> variables;
};

struct Suppression {
  std::string kind;
  std::string pattern;
  uint64_t line = 0;  // in its file
  uint64_t hits = 0;
  bool is_built_in = false;

  std::string text() const { return kind + ":" + pattern; }
};

class Suppressions {
 public:
  // `name` stands for the file in errors: "name:line: what is wrong".
  static Expected<Suppressions> parse(std::string_view text, const std::string& name);
  static Expected<Suppressions> read(const std::string& path);

  // What every project suppresses: races in the standard library that its users cannot avoid.
  static Suppressions built_in();
  void add(const Suppressions& others);

  // Whether one of them applies; it counts as used then.
  bool suppress(const Suppressible& finding);
  std::vector<Suppression> unused() const;
  const std::vector<Suppression>& all() const { return all_; }

 private:
  std::vector<Suppression> all_;
};

// Whether `text` matches a pattern with *, ^ and $.
bool matches_template(std::string_view pattern, std::string_view text);

}  // namespace heddle
