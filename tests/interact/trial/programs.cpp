#include "programs.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace heddle::interact {

namespace fs = std::filesystem;

const fs::path& trial_folder() {
  static const fs::path folder = [] {
    const char* const parent = std::getenv("TEST_TMPDIR");
    fs::path path = fs::absolute(fs::path(parent == nullptr ? "." : parent) / "trial");
    fs::remove_all(path);
    fs::create_directories(path);
    return path;
  }();
  return folder;
}

fs::path compile_program(const std::string& name, const std::string& source, const std::string& flags) {
  const fs::path program = trial_folder() / name;
  const fs::path file = trial_folder() / (name + ".c");
  std::ofstream(file) << source;
  const std::string command =
      "gcc -w -g " + flags + " -o '" + program.string() + "' '" + file.string() + "' -pthread";
  if (std::system(command.c_str()) != 0) {
    ADD_FAILURE() << "not compiled: " << command;
    std::abort();
  }
  return program;
}

ProgramRunner make_runner(const fs::path& program, const RunLimits& limits) {
  Expected<ProgramRunner> runner = ProgramRunner::create(program, trial_folder() / "runs", limits);
  if (!runner) {
    ADD_FAILURE() << runner.error().message;
    std::abort();
  }
  return std::move(*runner);
}

Behaviour run_program(ProgramRunner& runner, const concolic::ProgramInput& input, unsigned variation) {
  const Expected<Behaviour> behaviour = runner.run(input, variation);
  if (!behaviour) {
    ADD_FAILURE() << behaviour.error().message;
    return {};
  }
  return *behaviour;
}

}  // namespace heddle::interact
