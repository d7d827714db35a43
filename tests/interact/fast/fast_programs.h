// Programs that tests compile in their fast form and in a plain one, and comparisons of how they behave here
// and in a process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "interact/concolic/compile.h"
#include "interact/fast/fast_runner.h"

namespace heddle::fast {

// A folder of this test binary, empty when the binary starts.
const std::filesystem::path& fast_folder();

struct CompiledProgram {
  std::filesystem::path fast;
  std::filesystem::path plain;
};

struct ProgramSource {
  std::string name;
  std::vector<std::filesystem::path> files;
  std::vector<concolic::WatchedLine> watched = {};
  std::vector<std::string> flags = {};
};

// Ends the test if they cannot be compiled.
CompiledProgram compile_both(const ProgramSource& source);
// The same of a text in one file.
CompiledProgram compile_text(const std::string& name, const std::string& text, bool is_cxx = false);

// In how many versions it is to be loaded; all are the same.
FastRunner make_fast_runner(const CompiledProgram& program, size_t versions = 1,
                            const interact::RunLimits& limits = {});
// Named "PROGRAM", which is what processes' outputs have in place of their names.
interact::RunLimits test_limits();

interact::ProgramRunner make_process(const CompiledProgram& program, const interact::RunLimits& limits);

// "" if a run shows what the process did, else what differs.
std::string difference(const VersionRun& run, const interact::Behaviour& process);

}  // namespace heddle::fast
