// What was found out about a mutant, kept in a file.
#pragma once

#include <filesystem>
#include <optional>

#include "mutants.h"

namespace heddle::bench {

// Nothing if the file is not there, or of another heddle: what is selected may be something else now.
std::optional<MutantFigures> read_mutant(const std::filesystem::path& file);
void write_mutant(const MutantFigures& figures, const std::filesystem::path& file);

}  // namespace heddle::bench
