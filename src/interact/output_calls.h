// OutputCalls: which operations of a program show something to its user: they write, or end the program.
//
// By the names of the functions that are called. Where the project's own code calls code of a library that
// was compiled along with it (a template of a header), the call is the output if that code writes.
#pragma once

#include <string_view>
#include <vector>

#include "program/analyses.h"

namespace heddle::interact {

// "printf", "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c": by the name that the linker knows.
bool is_output_function(std::string_view linkage_name);

class OutputCalls {
 public:
  // Both must outlive this.
  OutputCalls(const program::Program& program, const program::PointsTo& points_to);

  // Only of the project's own code.
  bool is_output(const program::OpId& op) const;

 private:
  std::string_view external_name(const program::OpId& id) const;  // of what it calls directly
  bool writes(const program::OpId& id) const;
  bool writes_to_memory(const program::OpId& id) const;
  bool is_library(program::FunctionIndex function) const;

  const program::Program& program_;
  const program::PointsTo& points_to_;
  std::vector<bool> writes_;  // by function: library code that writes, itself or through others
};

}  // namespace heddle::interact
