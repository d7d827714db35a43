// Shared variables, as SimRT has them: accesses of the changed program that may touch memory which several
// threads reach, each with the block of the old program that stands for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program.h"

namespace heddle::select {

inline constexpr uint32_t kNone = program::kNone;

// Memory that is told apart, by numbers for names (access_paths.h). Two mean the same if their leaves are the
// same, and their roots are, or one of these is not known (0). Without a leaf it is all that the root has.
struct Location {
  uint32_t leaf = 0;
  uint32_t root = 0;
  bool is_exact = false;  // the leaf is a variable of the program, not a library's inside

  bool overlaps(const Location& other) const {
    if (leaf == 0 || other.leaf == 0) return root == other.root && root != 0;
    return leaf == other.leaf && (root == other.root || root == 0 || other.root == 0);
  }
  // Not only because nothing better is known.
  bool surely_overlaps(const Location& other) const {
    return overlaps(other) && ((root == other.root && root != 0) || (is_exact && other.is_exact));
  }
  auto operator<=>(const Location&) const = default;
};

// Why a shared variable is impacted: the numbers are those of the paper's rules.
enum class Rule : uint8_t {
  kUnaffected = 0,
  kAccess = 1,           // the change adds or modifies it
  kFunction = 2,         // it is in a function that the change adds, or whose head it modifies
  kSynchronisation = 3,  // other locks are held there, or its order with other threads has changed
  kQualifier = 4,        // atomic, volatile or the type of what it touches has changed
  kSlice = 5,            // a change may decide whether it is executed, or on what
  kAssumed = 6,          // what the change does there could not be analysed
};

// What stands for a place of the new program in the history, which knows the old one.
struct OldBlock {
  std::string file;
  std::string function;
  uint32_t line = 0;
  // Lines that are executed when it is, best first: its statement's own, then those of its basic block, then
  // those of the blocks that dominate it, nearest first. Coverage is asked of its own, or else of the first
  // that instrumentation has ever seen.
  std::vector<std::vector<uint32_t>> lines;
  uint32_t last_line = 0;  // of its statement
  // Where its function is called, then where those functions are: asked if its own lines were never seen,
  // since a compiler may have put a function into its callers so that nothing of it is left.
  struct Call {
    std::string file;
    uint32_t line = 0;
    auto operator<=>(const Call&) const = default;
  };
  std::vector<std::vector<Call>> calls;
  // From the first to the last line of its function: whoever was seen on any has come to its beginning. Asked
  // before the calls, since what is left of a function after optimisation may lie on a line without
  // statement.
  uint32_t function_begin = 0;
  uint32_t function_end = 0;

  auto operator<=>(const OldBlock&) const = default;
};

// A lock that is surely held (held_locks.h), by a number for its name.
struct HeldLock {
  uint32_t lock = 0;
  bool is_shared = false;  // as a reader
  auto operator<=>(const HeldLock&) const = default;
};

struct SharedVariable {
  std::string function;      // that it is in
  std::string old_function;  // itself, or the nearest caller that the old program has; empty: none
  std::string name;          // "Cache::size_"
  std::string file;
  uint32_t line = 0;
  bool is_write = false;
  bool is_atomic = false;
  // Fields of an object that is being constructed: no other thread knows it yet.
  bool is_own_construction = false;
  // No access, but an acquisition of the lock that is called so; a writer's lock if it is a write.
  bool is_acquisition = false;
  std::vector<Location> locations;  // sorted
  program::NodeId node;             // kNone: known from executions only
  std::vector<HeldLock> held;       // in the new program

  uint32_t old_block = kNone;  // in ChangedProgram::old_blocks
  Rule rule = Rule::kUnaffected;
  uint32_t cause = kNone;  // in ChangedProgram::causes
  bool moves = false;      // it is in the slice, and so is its address: it may touch something else now

  bool is_impacted() const { return rule != Rule::kUnaffected; }
  // The change may decide whether it is made; what it touches, and under which locks, is as it was.
  bool is_decided_only() const { return rule == Rule::kSlice && !moves; }
  // Whether the old program makes this access, too: then its history says what it touches.
  bool is_as_before() const {
    return !is_acquisition && rule != Rule::kAccess && rule != Rule::kFunction && rule != Rule::kAssumed &&
           !moves;
  }
};

// Two accesses that can race because of the change; the same index twice is an access that can race with
// itself. Without a second one, the order of that operation with other threads has changed.
struct ImpactedPair {
  uint32_t first = kNone;
  uint32_t second = kNone;
  bool is_sure = true;  // they mean the same memory, as far as can be told

  auto operator<=>(const ImpactedPair&) const = default;
};

}  // namespace heddle::select
