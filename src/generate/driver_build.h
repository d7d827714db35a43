// Drivers: the program that can make every call of an operation table, compiled and linked for one class.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/operation.h"
#include "support/error.h"

namespace heddle::generate {

// How code that uses the class is compiled and linked.
struct ClassSources {
  std::vector<std::string> headers;    // as they are to be included
  std::vector<std::string> flags;      // of the compiler: -I, -D, -std=…
  std::vector<std::string> sources;    // compiled with it
  std::vector<std::string> libraries;  // arguments of the linker
  std::string compiler;                // what `heddle c++` is to run; empty: its default
};

struct Driver {
  std::filesystem::path program;
  std::filesystem::path source;  // of the driver
  ClassModel model;
  OperationTable operations;
  std::vector<Unusable> unusable;  // calls that did not compile, too
};

struct DriverOptions {
  std::filesystem::path folder;     // for all that is made
  std::filesystem::path compilers;  // folder with heddle-c++
  std::string pools;                // file with the user's values; may be empty
  size_t most_operations = 400;
  std::function<void(const std::string&)> step;  // may be empty
};

// Reads the class, makes up arguments, writes the driver and compiles it. Calls that the compiler refuses are
// left out, and named.
Expected<Driver> build_driver(const std::string& class_name, const ClassSources& sources,
                              const DriverOptions& options);

}  // namespace heddle::generate
