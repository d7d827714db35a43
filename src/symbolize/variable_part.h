// Which member or element of a global variable lies at an address, from DWARF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

class DwarfFile;

// "savings + 8" is "savings" + ".balance", and nothing beyond it.
struct VariablePart {
  std::string path;     // ".accounts[3].balance"; empty if it is the variable itself
  uint64_t offset = 0;  // from the beginning of the part
  uint64_t size = 0;    // of the part; 0 if not known
};

// The smallest part that the program's own types name; the insides of std types stay hidden. `address` is
// `offset` bytes into its variable.
std::optional<VariablePart> find_variable_part(DwarfFile& file, uint64_t address, uint64_t offset);

}  // namespace heddle
