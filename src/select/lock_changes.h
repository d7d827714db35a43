// Which statements are executed under other locks than before (rule 3).
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "program/analyses.h"
#include "select/analysed_program.h"
#include "select/shared_variable.h"
#include "select/version_map.h"

namespace heddle::select {

// Locks are known by where they are acquired, so this holds for whatever acquires them: guards, explicit
// calls, the project's own wrappers; also where the text is the same and a wrapper has changed.
class LockChanges {
 public:
  LockChanges(const ProgramStructure& base, const ProgramStructure& head, const VersionMap& versions);

  // In words, why others are held at the node of the head; empty if they are not.
  const std::string& at(const program::NodeId& head) const;
  const std::map<program::NodeId, std::string>& all() const { return changed_; }
  // What is held at a node: acquisitions by nodes of the base, which numbers are the same for if it is the
  // same acquisition in both.
  using Held = std::set<std::tuple<uint32_t, bool, bool>>;  // acquired at, shared, conditional
  const Held& held_in_head(const program::NodeId& head) const;
  const Held& held_in_base(const program::NodeId& base) const;

 private:
  const Held& find(const std::map<program::NodeId, Held>& held, const program::NodeId& node) const;
  void compare(program::FunctionIndex head, program::FunctionIndex base);
  std::string describe(program::FunctionIndex head, program::FunctionIndex base, const Held& before,
                       const Held& after) const;

  const ProgramStructure& base_;
  const ProgramStructure& head_;
  const VersionMap& versions_;
  std::map<program::NodeId, Held> base_held_;
  std::map<program::NodeId, Held> head_held_;
  std::map<program::NodeId, std::string> changed_;
};

}  // namespace heddle::select
