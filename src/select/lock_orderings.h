// LockOrderings: acquisitions that the change adds or alters, and those of the same lock that they may block
// or be blocked by (rule 3). No shared access need be under them: a reader's lock that becomes a writer's
// around a join is waited for by the thread that is joined.
#pragma once

#include <string>
#include <vector>

#include "program/analyses.h"
#include "select/analysed_program.h"
#include "select/version_map.h"

namespace heddle::select {

struct LockOrdering {
  const program::LockedRegion* region = nullptr;  // of the head
  program::NodeId acquired_at;
  std::vector<std::string> locks;  // by their names
  bool is_changed = false;
};

// All must outlive what is returned. Left out are acquisitions that cannot be part of a deadlock: nothing
// that may wait is executed under the lock, and no other is held when it is taken.
std::vector<LockOrdering> find_lock_orderings(const ProgramStructure& base, const AnalysedProgram& head,
                                              const VersionMap& versions);

}  // namespace heddle::select
