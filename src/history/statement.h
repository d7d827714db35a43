// Statement: a place of the program that executes an operation, and the innermost calls that led there.
//
// It is made of texts and line numbers, so it means the same in every process, on every machine and, as long
// as the files it speaks of are the same, in every build. Engines use its key, a hash of all that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// A line of a source file or, where there is no debug information, an offset in a program or library.
struct CodePosition {
  std::string file;     // as SourceTree names it; empty: nowhere in the program (the end of a thread)
  uint32_t line = 0;    // 0: `file` is a program or library
  uint32_t column = 0;  // 0: not known or of no interest
  uint64_t offset = 0;  // in the program or library

  auto operator<=>(const CodePosition&) const = default;
};

// "src/queue.cpp:41:7", "src/queue.cpp:41" or "/usr/lib/libstdc++.so.6+0x1234".
std::string to_text(const CodePosition& position);
// The inverse, for positions that have no column.
std::optional<CodePosition> parse_position(std::string_view text);

// ALGORITHMS' k: statements that differ only in calls farther out are one.
inline constexpr size_t kContextDepth = 5;

// Keys of statements that ended by a timeout differ by this from those that did not.
inline constexpr uint64_t kTimedOutMark = 0x9e3779b97f4a7c15;

struct Statement {
  CodePosition at;
  // What is done there, "read" or "lock". `count++` reads and writes in one place, and what has been seen of
  // one is not known of the other.
  std::string operation;
  bool timed_out = false;
  // Call sites in the program's own code, innermost first, at most kContextDepth.
  std::vector<CodePosition> context;
  std::string function;  // for people; not part of what it is

  bool operator==(const Statement&) const = default;
};

uint64_t key_of(const Statement& statement);

// All files that it mentions.
std::set<std::string> files_of(const Statement& statement);

}  // namespace heddle
