// ProgramVersion: one program of a project, at one revision, made in the forms that inputs are tried on.
//
// The project builds its program itself, with its own compiler and without instrumentation. Meanwhile
// `heddle-recorder` stands in for every compiler and notes what it was called with (call_log.h): from that
// follows how the program was compiled and linked (program_parts.h), the *recipe* of its other forms.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/project_build.h"
#include "change/revision.h"
#include "interact/concolic/compile.h"
#include "interact/versions/kept_folder.h"
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
  std::filesystem::path guarded;  // with AddressSanitizer, -O1 and line numbers
  // As long as this lives, sources and all forms stay as they are.
  std::shared_ptr<const void> in_use;
  std::shared_ptr<const KeptFolder> forms;
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
  explicit VersionMaker(Options options);

  // Nothing is built that has been built. An error is that of the build, with the compiler's words, or says
  // which programs there are.
  Expected<ProgramVersion> make(const Repository& repository, const Project& project,
                                const Revision& revision);
  // The form that concolic execution needs; returns the executable, which stays as long as the version is in
  // use.
  Expected<std::filesystem::path> make_recordable(const ProgramVersion& version,
                                                  const std::vector<concolic::WatchedLine>& watched);
  // The form of which several versions can live in one process; likewise.
  Expected<std::filesystem::path> make_fast(const ProgramVersion& version,
                                            const std::vector<concolic::WatchedLine>& watched);

 private:
  Expected<void> make_forms(const ProjectBuild& build, const std::filesystem::path& folder) const;
  using Compile = Expected<void> (*)(const concolic::CompileRequest& request);
  Expected<std::filesystem::path> make_instrumented(const ProgramVersion& version,
                                                    const std::vector<concolic::WatchedLine>& watched,
                                                    const std::string& name, Compile compile);
  void say(const std::string& text) const;

  Options options_;
};

}  // namespace heddle::interact
