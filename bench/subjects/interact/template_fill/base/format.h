// A format, taken apart: literal text and directives in turn.
#pragma once

#include <string>
#include <vector>

struct Directive {
  char type = 's';  // of "dhicsx"
  bool left = false;
  bool zeros = false;
  bool sign = false;
  bool groups = false;
  size_t width = 0;
};

struct Piece {
  bool is_literal = true;
  std::string literal;
  Directive directive;
};

// Exits with a message if the format is wrong.
std::vector<Piece> read_format(const std::string& text);
