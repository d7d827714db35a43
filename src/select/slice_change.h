// What depends on a change (rule 5): the slices of what it adds or modifies, and of what it removes.
#pragma once

#include <vector>

#include "select/lock_changes.h"
#include "select/value_flow.h"
#include "select/version_map.h"

namespace heddle::select {

// Both in nodes of the head.
struct ChangeSlices {
  ValueSlice of_changed;
  ValueSlice of_removed;
};

// `changed`: nodes of the head that the change adds or modifies. Those that only lock or order threads
// compute nothing: whom they keep out is rule 3's.
ChangeSlices slice_change(const ProgramStructure& base, const ProgramStructure& head,
                          const VersionMap& versions, const std::vector<program::NodeId>& changed);

}  // namespace heddle::select
