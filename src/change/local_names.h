// Locals and parameters of one function: which name stands for which at a place of the text, and the normal
// form of a statement, in which they are numbered.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "change/declarators.h"

namespace heddle {

class LocalNames {
 public:
  LocalNames(const Tokens& tokens, std::vector<SourceLocal>& locals) : tokens_(tokens), locals_(locals) {}

  void push() { scopes_.push_back(bound_.size()); }
  void pop();
  // Returns its number, from 1. Visible until the scope is popped.
  uint32_t declare(std::string_view name, std::string type, uint32_t statement, std::string storage = "");
  void bind(std::string_view name, uint32_t number);
  bool is_local(std::string_view name) const { return number(name) != 0; }

  // Tokens with one space between, locals as $n. Of [first, second) in `left_out` nothing is written.
  std::string normal_text(uint32_t begin, uint32_t end,
                          const std::vector<std::pair<uint32_t, uint32_t>>& left_out) const;

 private:
  uint32_t number(std::string_view name) const;

  const Tokens& tokens_;
  std::vector<SourceLocal>& locals_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> visible_;  // innermost last
  std::vector<std::string_view> bound_;
  std::vector<size_t> scopes_;
};

// Whether leaving the scope of a variable of this type runs no code.
bool is_trivial_type(std::string_view type);

}  // namespace heddle
