// How a unit is compiled to bitcode: the project's own command, whichever compiler it is for, made one of
// clang without optimisation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::program {

// An entry of compile_commands.json.
struct CompileCommand {
  std::filesystem::path directory;
  std::filesystem::path file;          // absolute
  std::vector<std::string> arguments;  // the compiler first
};

Expected<std::vector<CompileCommand>> read_compile_commands(const std::filesystem::path& path);

enum class UnitLanguage { kC, kCxx, kOther };

// What decides the meaning of a unit. Warnings, optimisation, sanitizers, coverage and outputs are gone, and
// so are flags of gcc that clang does not know.
struct UnitCommand {
  std::filesystem::path directory;
  std::filesystem::path file;
  UnitLanguage language = UnitLanguage::kCxx;
  std::vector<std::string> flags;  // without compiler, file and output
};

UnitCommand translate_command(const CompileCommand& command);

// What clang is run with, after its name: `extra` come after the unit's flags.
std::vector<std::string> clang_arguments(const UnitCommand& unit, const std::vector<std::string>& extra);

struct RunResult {
  int exit_code = -1;
  std::string errors;  // what it wrote to its error stream
};
// Runs a command in a folder and waits for it; its words go to `log` on the way.
Expected<RunResult> run_command(const std::vector<std::string>& command,
                                const std::filesystem::path& directory, const std::filesystem::path& log);

// "src/x.cpp:3:1: error: …" of what a compiler wrote, or its first line.
std::string first_error(const std::string& errors);

// All that it wrote before that, and the line itself: through which files it came there.
std::string up_to_first_error(const std::string& errors);

// The files of a rule as compilers write with -MD.
std::vector<std::string> read_dependencies(const std::string& rule);

}  // namespace heddle::program
