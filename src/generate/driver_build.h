// Drivers: the program that can make every call of an operation table, compiled and linked for one class.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/class_sources.h"
#include "generate/operation.h"
#include "generate/user_pools.h"
#include "support/error.h"

namespace heddle::generate {

struct Driver {
  std::filesystem::path program;
  std::filesystem::path source;                // of the driver
  std::vector<std::filesystem::path> objects;  // the class's own sources, compiled
  std::filesystem::path archive;               // with what these need of more_sources; may be empty
  ClassModel model;
  OperationTable operations;
  std::vector<Unusable> unusable;  // calls that did not compile, too
};

struct DriverOptions {
  std::filesystem::path folder;     // for all that is made
  std::filesystem::path compilers;  // folder with heddle-c++
  UserPools pools;
  size_t most_operations = 400;
  std::function<void(const std::string&)> step;  // may be empty
};

// Reads the class, makes up arguments, writes the driver and compiles it. Calls that the compiler refuses are
// left out, and named. A driver that was made of the same things before is used again.
// Errors of the class's own sources have the compiler's words, or the linker's.
Expected<Driver> build_driver(const std::string& class_name, const ClassSources& sources,
                              const DriverOptions& options);

// The same for a class that has been read and whose operations are known.
Expected<Driver> compile_driver(ClassModel model, OperationTable operations, const ClassSources& sources,
                                const DriverOptions& options);

}  // namespace heddle::generate
