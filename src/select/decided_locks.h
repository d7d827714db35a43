// Locks that are held or not, or are another lock, as the change decides (rule 3): `if (threads > 1)
// lock.lock();`, or a guard of a reference that the change binds to another mutex.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "select/analysed_program.h"
#include "select/shared_variable.h"

namespace heddle::select {

struct DecidedBy {
  const std::set<program::NodeId>& nodes;  // the change's, and what depends on them
  const std::vector<SharedVariable>& variables;
  const std::vector<std::vector<uint32_t>>& variables_of;  // by function
};

// What is executed under such locks, with the reason.
std::map<program::NodeId, std::string> under_decided_locks(const ProgramStructure& head,
                                                           const DecidedBy& change);

}  // namespace heddle::select
