// What is kept of a program's parts, so that the next heddle need not find them out again; and the
// compile_commands.json of its units.
#pragma once

#include <filesystem>
#include <optional>

#include "interact/versions/program_parts.h"
#include "support/error.h"

namespace heddle::interact {

struct KeptParts {
  ProgramParts parts;
  std::filesystem::path plain;
};

Expected<void> write_parts(const KeptParts& kept, const std::filesystem::path& file);
std::optional<KeptParts> read_parts(const std::filesystem::path& file);

// Of the units in C and C++.
Expected<void> write_compile_commands(const std::vector<ProgramUnit>& units,
                                      const std::filesystem::path& file);

}  // namespace heddle::interact
