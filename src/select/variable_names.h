// What a variable is called, wherever it is accessed: "Cache::size_", "counter", "Table::buckets_[]".
#pragma once

#include <string>

#include "program/program.h"
#include "select/shared_variable.h"

namespace heddle::select {

// Answers for the addresses of one function.
class VariableNames {
 public:
  VariableNames(const program::Program& program, program::FunctionIndex function);

  std::string name_of(program::ValueId address) const;
  // Whether it is, or is in, the object that the member function was called on.
  bool is_in_this(program::ValueId address) const;

 private:
  const program::Op* made_by(program::ValueId value) const;
  std::string name_of(program::ValueId address, int depth) const;
  // Where a variable lives that a parameter was put into.
  bool is_parameter(program::ValueId local, uint32_t parameter) const;

  const program::Unit& unit_;
  const program::Function& function_;
  std::vector<const program::Op*> made_by_;
  std::vector<std::pair<program::ValueId, uint32_t>> parameters_;  // local, number
};

}  // namespace heddle::select
