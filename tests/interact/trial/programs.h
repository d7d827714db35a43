// Small programs that tests compile once and run in a sandbox.
#pragma once

#include <filesystem>
#include <string>

#include "interact/trial/program_runner.h"

namespace heddle::interact {

// A folder of this test binary, empty when the binary starts. In the build tree, where a sandbox shows it.
const std::filesystem::path& trial_folder();

// Compiles a program in C; the name decides on the file. Ends the test if that fails.
std::filesystem::path compile_program(const std::string& name, const std::string& source,
                                      const std::string& flags = "-O1");

// Ends the test if it cannot be made.
ProgramRunner make_runner(const std::filesystem::path& program, const RunLimits& limits = {});
Behaviour run_program(ProgramRunner& runner, const concolic::ProgramInput& input, unsigned variation = 0);

}  // namespace heddle::interact
