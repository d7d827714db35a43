// FakeSymbolizer: names for hand-written traces. Offset n of the program is line n of one source file; what
// is not declared is unknown.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "symbolize/symbolizer.h"

namespace heddle {

class FakeSymbolizer : public Symbolizer {
 public:
  explicit FakeSymbolizer(std::string file = "bank.cpp") : file_(std::move(file)) {}

  // Lines first to last are the body of `name`.
  FakeSymbolizer& function(const std::string& name, uint32_t first, uint32_t last) {
    for (uint32_t line = first; line <= last; ++line) {
      code_[line] = {{name, name + "()", file_, line, 7}};
    }
    return *this;
  }

  FakeSymbolizer& frames(uint64_t offset, std::vector<Frame> frames) {
    code_[offset] = std::move(frames);
    return *this;
  }

  FakeSymbolizer& variable(const std::string& name, uint64_t offset, uint64_t size) {
    variables_[offset] = {name, 0, size};
    return *this;
  }

  FakeSymbolizer& name(NamedPart part) {
    names_.push_back(std::move(part));
    return *this;
  }

  void set_problem(std::string problem) { problem_ = std::move(problem); }

  const std::vector<Frame>& code(const ModuleName& module, uint64_t offset) override {
    auto [entry, is_new] = code_.try_emplace(offset);
    if (is_new) {
      std::string name = module_offset_text(module.path, offset);
      entry->second = {{name, name, "", 0, 0}};
    }
    return entry->second;
  }

  std::optional<Variable> data(const ModuleName&, uint64_t offset) override {
    for (const auto& [start, variable] : variables_) {
      if (offset >= start && offset < start + variable.size) {
        return Variable{variable.name, offset - start, variable.size};
      }
    }
    return std::nullopt;
  }

  const std::vector<NamedPart>& names_at(const ModuleName&, uint64_t) override { return names_; }

  std::string problem(const ModuleName&) override { return problem_; }

 private:
  std::string file_;
  std::string problem_;
  std::map<uint64_t, std::vector<Frame>> code_;
  std::map<uint64_t, Variable> variables_;
  std::vector<NamedPart> names_;
};

}  // namespace heddle
