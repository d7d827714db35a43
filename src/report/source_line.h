// SourceLine: a place in the sources as a report names it, with the text that stands there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace heddle {

struct SourceLine {
  std::string file;  // below the project's root: relative to it; empty if not known
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;
  std::string text;           // without blanks around it; empty if the file is not there
  bool is_user_code = false;  // not in a system header or system library
  bool is_changed = false;    // the change that is checked touches it

  bool operator==(const SourceLine&) const = default;
};

// The lines that a change touches, as they are numbered in the head: by file, relative to the project's root.
using ChangedLines = std::map<std::string, std::set<uint32_t>>;

// How source files are named, and what of them is of interest.
struct SourceScope {
  std::string root;                       // files below it are named relative to it; empty: none is
  const ChangedLines* changed = nullptr;  // null: nothing is known to be changed

  std::string name(const std::string& file) const;
  bool is_changed(const std::string& name, uint32_t line) const;
};

}  // namespace heddle
