// TestCommand: what a test is to heddle. A command line, where to run it, and what to add to the environment.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct TestCommand {
  std::vector<std::string> argv;  // argv[0] is a path, or a name looked up in PATH
  std::string directory;          // empty: the current directory
  std::vector<std::pair<std::string, std::string>> environment;  // added to the tool's own
};

}  // namespace heddle
