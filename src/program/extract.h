// Bitcode → facts. The only part of the program model that knows LLVM (with extract_*.h, private to it).
//
// The bitcode is expected without optimisation and with debug information (compile_unit.h): names, types and
// statements come from there. What is not recognised becomes kUnknown, never nothing.
#pragma once

#include <filesystem>
#include <string>

#include "program/facts.h"
#include "program/statement_lookup.h"
#include "support/error.h"

namespace heddle::program {

struct ExtractOptions {
  std::filesystem::path source;           // root of the project: files below it are named relative to it
  StatementLookup* statements = nullptr;  // nullptr: lines stand for statements
};

// `file` is the unit's source file, as it is named in the project.
Expected<Unit> extract_unit(const std::filesystem::path& bitcode, const std::string& file,
                            const ExtractOptions& options);

}  // namespace heddle::program
