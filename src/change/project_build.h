// Builds: one revision, compiled with instrumentation, in heddle's own folder, and kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "change/project.h"
#include "change/revision.h"
#include "support/error.h"

namespace heddle {

struct ProjectBuild {
  Revision revision;
  std::filesystem::path source;  // the tree that was built
  std::filesystem::path folder;  // the build folder
  std::filesystem::path compile_commands;  // empty if there is none
  uint64_t id = 0;               // of tree, compilers and commands
  bool was_cached = false;
  double seconds = 0;
};

// Why a build failed, in words a user can act on.
struct BuildFailure {
  std::string step;    // "cmake -S … -B …", or the user's command
  std::string target;  // that failed, if it is known
  std::string words;   // what the compiler said, at most some screens
  std::string log;     // file with all of it
};

class Builder {
 public:
  // Everything goes below `store`. `progress` is called with a line now and then.
  Builder(std::filesystem::path store, std::function<void(const std::string&)> progress);

  // Checks the revision out and builds it, unless that has been done. Interrupted at any time, the next one
  // begins anew or goes on; two at once wait for each other. A failed build is an error whose message is the
  // failure in full; `failure`, if given, has its parts.
  Expected<ProjectBuild> build(const Repository& repository, const Revision& revision, const Project& project,
                               BuildFailure* failure = nullptr);

 private:
  std::filesystem::path store_;
  std::function<void(const std::string&)> progress_;
};

}  // namespace heddle
