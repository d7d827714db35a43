// Links a driver: with what the user has named, and if something is missing then, with the other sources of
// the project.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generate/build_step.h"
#include "support/error.h"

namespace heddle::generate {

struct DriverParts {
  std::filesystem::path program;  // to be made
  std::string of_class;           // for messages
  std::vector<std::string> linker;
  std::vector<std::string> flags;
  std::vector<std::filesystem::path> objects;
  std::vector<std::string> libraries;
  std::filesystem::path harness;                 // the object with main()
  std::vector<BuildStep> further;                // compile what may be needed beside, the likeliest first
  std::function<void(const std::string&)> step;  // may be empty
};

// The archive of further objects, beside the program; empty if nothing was missing. An error names what is.
Expected<std::filesystem::path> link_driver(const DriverParts& parts);

}  // namespace heddle::generate
