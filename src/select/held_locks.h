// HeldLocks: which locks are surely held where something is executed, by whichever way the program comes
// there.
//
// Locks are known by the variable or field that is locked ("Cache::mutex_"). Two objects of a class have two,
// so this does not prove that two accesses exclude each other. It tells which are likely to, and need not be
// looked at first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "select/analysed_program.h"
#include "select/shared_variable.h"

namespace heddle::select {

// Of an acquisition: the variables or fields that are locked, or what they may be. Empty if that is not
// known.
std::vector<std::string> names_of_locks(const ProgramStructure& program, const program::LockedRegion& region);

class HeldLocks {
 public:
  explicit HeldLocks(const AnalysedProgram& program);

  // Sorted.
  std::vector<HeldLock> at(const program::NodeId& node) const;

 private:
  using Held = std::vector<HeldLock>;
  struct Region {
    Held locks;
    const std::vector<uint32_t>* nodes;  // sorted
  };

  Held locks_of(const AnalysedProgram& program, const program::LockedRegion& region);
  Held in_function(const program::NodeId& node) const;
  void spread(const AnalysedProgram& program);
  void meet(program::FunctionIndex function, const Held& held);

  std::map<std::string, uint32_t> numbers_;
  std::unordered_map<program::FunctionIndex, std::vector<Region>> regions_;
  std::vector<std::optional<Held>> at_entry_;  // nothing: not known to be called
  std::vector<program::FunctionIndex> open_;
};

// Notes with each variable what is held there.
void note_held_locks(const AnalysedProgram& program, std::vector<SharedVariable>& variables);

// Whether both hold one lock, and not both as readers.
bool exclude_each_other(const std::vector<HeldLock>& one, const std::vector<HeldLock>& other);

}  // namespace heddle::select
