// BitcodeMachine: executes the bitcode of a C program and sees what depends on what. It knows neither facts
// nor analyses, so that the extraction is held against it as well.
//
// Memory is this process's own: pointers are real. A value carries the statements that it was computed by, a
// byte of memory those that wrote it, and an activation the branches that it has taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "program/program.h"

namespace heddle::program {

class BitcodeMachine {
 public:
  // Which node a place of a function is; NodeId{} if none.
  using Locate = std::function<NodeId(const std::string& function, uint32_t line, uint32_t column)>;
  BitcodeMachine(const std::filesystem::path& bitcode, Locate locate);
  ~BitcodeMachine();

  // What `function`, which has no parameters, returns. Throws std::runtime_error if it takes more steps than
  // a program of a test should, or does what the machine does not know.
  uint64_t run(const std::string& function);

  struct Seen {
    NodeId node;
    NodeId on;
    auto operator<=>(const Seen&) const = default;
  };
  struct Dependences {
    std::set<Seen> data;
    std::set<Seen> control;
    std::set<Seen> calls;
  };
  // Of the last run.
  Dependences seen() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::program
