// BuildStep: one command of a build that is made again only if something that it read has changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::generate {

struct BuildStep {
  std::filesystem::path output;
  // Must write to `output`, and what it has read to dependency_file().
  std::vector<std::string> command;

  std::filesystem::path dependency_file() const { return output.string() + ".d"; }
};

struct BuildEnd {
  bool ok = false;
  std::string words;  // of a command that failed
};

// By the contents of all that the command read, the command itself and heddle's version.
bool is_up_to_date(const BuildStep& step);

// Executes the steps that are not up to date, on all cores. An error only if a command cannot be executed.
Expected<std::vector<BuildEnd>> execute_steps(const std::vector<BuildStep>& steps);

}  // namespace heddle::generate
