// ProgramVersion: one program of a project, at one revision, made in the forms that inputs are tried on.
//
// The project builds its program itself, with its own compiler and without instrumentation; how it did that
// (units, flags, libraries) is the *recipe*, from which heddle makes the other forms.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/revision.h"
#include "interact/concolic/compile.h"
#include "program/compile_unit.h"
#include "support/error.h"

namespace heddle::interact {

// How a program is compiled and linked.
struct Recipe {
  std::vector<program::UnitCommand> units;  // also those of the project's own libraries that are linked
  std::vector<std::string> link_arguments;  // what else is linked
};

struct ProgramVersion {
  Revision revision;
  std::filesystem::path source;            // the tree that was built
  std::filesystem::path compile_commands;  // of the program's units alone
  Recipe recipe;
  std::filesystem::path plain;    // as the project builds it
  std::filesystem::path guarded;  // with AddressSanitizer
  std::shared_ptr<const void> in_use;
};

class VersionMaker {
 public:
  struct Options {
    std::filesystem::path store;      // everything goes below it
    std::filesystem::path compilers;  // folder with heddle's compiler wrappers
    std::string program;              // target or path of the executable; or of the unit with the function
    bool is_function = false;         // LLVMFuzzerTestOneInput is to be called
    std::function<void(const std::string&)> progress;  // may be empty
  };
  explicit VersionMaker(Options options) : options_(std::move(options)) {}

  // Nothing is built that has been built. An error is that of the build, with the compiler's words, or says
  // which programs there are.
  Expected<ProgramVersion> make(const Repository& repository, const Project& project,
                                const Revision& revision);
  // The form that concolic execution needs; returns the executable.
  Expected<std::filesystem::path> make_recordable(const ProgramVersion& version,
                                                  const std::vector<concolic::WatchedLine>& watched);

 private:
  Options options_;
};

}  // namespace heddle::interact
