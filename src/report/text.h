// Small helpers for text that goes to a terminal: width, fitting into columns, colour.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// The terminal's columns that UTF-8 text takes, counting one for every code point.
size_t display_width(std::string_view text);

// Exactly `width` columns: padded with blanks, or cut with "…" at the end.
std::string fit_text(std::string_view text, size_t width);

// At most `width` columns, cut with "…" at the end.
std::string cut_text(std::string_view text, size_t width);

// Source text in at most `width` columns. What says least goes first: "std::", the template arguments of
// types from there, then the end.
std::string cut_source(std::string_view source, size_t width);

// Source text and messages come from outside: control characters, escape sequences among them, become "?".
std::string printable(std::string_view text);

// "a", "a and b", "a, b and c".
std::string join_words(const std::vector<std::string>& words);

// "1 event", "2 events".
std::string count_of(size_t count, std::string_view noun);

// Terminal colours, or none.
class Paint {
 public:
  explicit Paint(bool enabled) : enabled_(enabled) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string failure(std::string_view text) const { return wrap("1;31", text); }
  std::string name(std::string_view text) const { return wrap("36", text); }
  std::string changed(std::string_view text) const { return wrap("32", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;

  bool enabled_;
};

}  // namespace heddle
