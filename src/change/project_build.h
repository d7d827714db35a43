// Builds: one revision, compiled with instrumentation, in heddle's own folder, and kept.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "change/build_slots.h"
#include "change/project.h"
#include "change/revision.h"
#include "support/error.h"

namespace heddle {

struct ProjectBuild {
  Revision revision;
  std::filesystem::path source;            // the tree that was built
  std::filesystem::path folder;            // where the results are
  std::filesystem::path compile_commands;  // empty if there is none
  uint64_t id = 0;                         // of tree, compilers and commands
  bool was_cached = false;
  double seconds = 0;
  std::shared_ptr<const void> in_use;  // as long as this lives, nobody builds something else there
};

// Why a build failed, in words a user can act on.
struct BuildFailure {
  std::string step;    // "cmake -S … -B …", or the user's command
  std::string target;  // that failed, if it is known
  std::string words;   // what the compiler said, a screen of it
  std::string log;     // file with all of it
};
std::string to_text(const BuildFailure& failure);

class Builder {
 public:
  struct Options {
    std::filesystem::path store;                       // everything goes below it
    std::filesystem::path compilers;                   // folder with heddle-cc and heddle-c++
    std::function<void(const std::string&)> progress;  // called with a line at each step; may be empty
    std::function<void(const std::string&)> says;      // what the build says now; may be empty
    std::vector<std::pair<std::string, std::string>> environment;  // of the build, beside heddle's own
  };
  explicit Builder(Options options) : options_(std::move(options)) {}

  // Checks the revision out and builds it in one of a few slots, unless that has been done, as a change of
  // what the slot contains. Interrupted at any time, the next one goes on where it was left; two at once wait
  // for each other. A failed build is an error whose message is the failure in full; `failure`, if given,
  // gets its parts.
  Expected<ProjectBuild> build(const Repository& repository, const Revision& revision, const Project& project,
                               BuildFailure* failure = nullptr);

  // The same if the revision has been built; nothing if not.
  std::optional<ProjectBuild> find(const Repository& repository, const Revision& revision,
                                   const Project& project);

 private:
  struct Wanted;
  Expected<Wanted> wanted(const Repository& repository, const Revision& revision, const Project& project);
  Expected<void> make(const Repository& repository, const Project& project, const Wanted& wanted,
                      BuildSlot* slot, const ProjectBuild& build, BuildFailure* failure);
  Expected<void> write_sources(const Repository& repository, const Revision& revision, const Wanted& wanted,
                               BuildSlot* slot);
  Expected<void> run_steps(const Project& project, const ProjectBuild& build, const SlotLock& lock,
                           BuildFailure* failure);

  Options options_;
};

}  // namespace heddle
