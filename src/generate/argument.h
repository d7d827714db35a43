// Argument: one way to give a parameter what it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heddle::generate {

struct Argument {
  std::string text;   // an expression, for a parameter whose type is known
  std::string exact;  // the same where the type is told from it, as by a template: "std::string(\"a\")"

  // What the call fills in: a variable of its own. Here and in `text`, kOutName stands for its name.
  std::string out_declaration;  // "int @{};"; empty: it is not such an argument
  std::string out_initial;      // what is in it before the call, if that matters
  bool out_is_move_only = false;

  std::set<uint32_t> needs;     // methods whose results it takes
  std::set<uint32_t> moves;     // those of them whose results it moves from
  std::set<uint32_t> fixtures;  // what it refers to
  std::set<std::string> includes;

  const std::string& exact_text() const { return exact.empty() ? text : exact; }
  // Whether it means the same wherever it is written, also when no object under test is there.
  bool is_plain() const { return needs.empty() && fixtures.empty() && out_declaration.empty(); }
  // What goes into another argument is needed by that, too.
  void depend_on(const Argument& part) {
    needs.insert(part.needs.begin(), part.needs.end());
    moves.insert(part.moves.begin(), part.moves.end());
    fixtures.insert(part.fixtures.begin(), part.fixtures.end());
    includes.insert(part.includes.begin(), part.includes.end());
  }
};

inline constexpr char kOutName = '@';

using Arguments = std::vector<Argument>;
// Values of a type, for what is made of them.
using ValuesOf = std::function<Arguments(const std::string& type)>;

// An argument that is nothing but this text.
inline Argument plain_argument(std::string text, std::string exact = "",
                               std::set<std::string> includes = {}) {
  return {.text = std::move(text),
          .exact = std::move(exact),
          .out_declaration = "",
          .out_initial = "",
          .out_is_move_only = false,
          .needs = {},
          .moves = {},
          .fixtures = {},
          .includes = std::move(includes)};
}

}  // namespace heddle::generate
