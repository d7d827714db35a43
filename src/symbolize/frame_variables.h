// FrameVariables: what lies where in the stack frame of a function, from DWARF (see FramePart).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "symbolize/symbolizer.h"

namespace heddle {

class DwarfFile;

class FrameVariables {
 public:
  // `file` must outlive this.
  explicit FrameVariables(DwarfFile& file) : file_(file) {}

  // Those of the function with this code address, and of what is inlined into it. A function is read once,
  // when it is first asked for.
  const std::vector<FramePart>& at(uint64_t address);

 private:
  DwarfFile& file_;
  std::unordered_map<uint64_t, std::vector<FramePart>> functions_;  // by the offset of their entry
};

}  // namespace heddle
