// The two ends of a change, built.
#pragma once

#include <cstdint>
#include <string>

#include "change/project.h"
#include "change/project_build.h"
#include "change/revision.h"
#include "support/error.h"

namespace heddle {

struct BothBuilds {
  ProjectBuild base;
  ProjectBuild head;
  std::string base_failure;  // why there is no build of the base; empty if there is one
};

// What a base that does not build means to the caller.
enum class WithoutBase : uint8_t { kFails, kGoesOn };

// What is built already is not given up for the other one.
Expected<BothBuilds> build_both(const Builder::Options& options, const Repository& repository,
                                const Project& project, const RevisionPair& revisions, WithoutBase rule);

// One revision. Compilers say strange things if there is no room for what they write, so that is said beside
// what they say.
Expected<ProjectBuild> build_revision(const Builder::Options& options, const Repository& repository,
                                      const Project& project, const Revision& revision);

// What somebody who wants to build it again has to know: "a34c3562e78a". Of a working tree, nobody knows what
// was in it.
std::string name_to_build(const Revision& revision);

}  // namespace heddle
