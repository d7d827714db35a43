// UnitNames: what names can mean in a compilation unit, from DWARF (see NamedPart).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "symbolize/symbolizer.h"

namespace heddle {

class DwarfFile;

class UnitNames {
 public:
  // `file` must outlive this.
  explicit UnitNames(DwarfFile& file) : file_(file) {}

  // Those of the unit with this code address. A unit is read once, when it is first asked for.
  const std::vector<NamedPart>& at(uint64_t address);

 private:
  DwarfFile& file_;
  std::unordered_map<uint64_t, std::vector<NamedPart>> units_;  // by the unit's offset
};

}  // namespace heddle
