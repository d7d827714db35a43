// VariableParts: which member or element of a global variable lies at an address, from DWARF.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heddle {

// "savings + 8" is "savings" + ".balance", and nothing beyond it.
struct VariablePart {
  std::string path;     // ".accounts[3].balance"; empty if it is the variable itself
  uint64_t offset = 0;  // from the beginning of the part
  uint64_t size = 0;    // of the part; 0 if not known
};

class VariableParts {
 public:
  // Reads nothing yet. A file without debug information just knows no parts.
  explicit VariableParts(std::string module_path);
  ~VariableParts();
  VariableParts(VariableParts&&) noexcept;
  VariableParts& operator=(VariableParts&&) noexcept;

  // The smallest part that the program's own types name; the insides of std types stay hidden. `address` is
  // `offset` bytes into its variable.
  std::optional<VariablePart> find(uint64_t address, uint64_t offset);

 private:
  struct File;
  std::string module_path_;
  std::unique_ptr<File> file_;
};

}  // namespace heddle
