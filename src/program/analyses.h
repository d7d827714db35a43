// The analyses of a whole program, and what they answer. Each has a file of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "program/call_graph.h"
#include "program/program.h"

namespace heddle::program {

// Memory that is told apart: a global, a local variable, or all blocks that one call allocates. Functions are
// objects, too: what a function pointer points to.
using ObjectId = uint32_t;
struct MemoryObject {
  enum class Kind : uint8_t {
    kGlobal,
    kLocal,
    kHeap,
    kFunction,
    kTransit,  // what a copy of memory is carrying; nothing points to it
    kUnknown
  };
  Kind kind;
  uint32_t global = kNone;         // Program::global_symbol
  FunctionIndex function = kNone;  // kFunction: its definition, if the program has one
  OpId made_at;                    // kLocal, or the call that allocates
  uint64_t size = 0;               // 0: not known
  bool is_thread_local = false;
  std::string name;
};
// Stands for memory that the program's text does not show, and for everything that has escaped to it.
inline constexpr ObjectId kUnknownObject = 0;
// Fields of an object are told apart by their offset; kAnyOffset: not known.
inline constexpr int64_t kAnyOffset = INT64_MIN;
struct Pointee {
  ObjectId object = kNone;
  int64_t offset = kAnyOffset;

  auto operator<=>(const Pointee&) const = default;
};

struct ThreadStart {
  OpId call;
  FunctionIndex entry = kNone;
  bool several = false;  // that one call may start more than one thread
};

struct ExternalModel;

// Andersen's analysis, sensitive to fields, with the call graph found on the way (virtual calls by class,
// function pointers by what they point to). points_to.cpp
class PointsTo {
 public:
  explicit PointsTo(const Program& program);
  const std::vector<MemoryObject>& objects() const;
  // A pointer to kUnknownObject may also point to every object that has escaped.
  std::vector<Pointee> pointees(FunctionIndex function, ValueId value) const;
  // Values that point to the same share a number, below value_sets(). Of one, each object, perhaps
  // repeatedly.
  uint32_t value_set(FunctionIndex function, ValueId value) const;
  uint32_t value_sets() const;
  void for_each_object(uint32_t value_set, const std::function<void(ObjectId)>& visit) const;
  // Of what an object holds, each set. If it has escaped, it also holds kUnknownObject.
  void for_each_held(ObjectId object, const std::function<void(uint32_t value_set)>& visit) const;
  // What memory may hold from the start or because it was stored there.
  std::vector<Pointee> contents(const Pointee& memory) const;
  // Whether code outside the program may reach it.
  bool has_escaped(ObjectId object) const;
  // As the analysis tells offsets apart: elements of an array are at one offset.
  int64_t canonical_offset(ObjectId object, int64_t offset) const;
  // From `start` on, offsets of the object count modulo `stride`; 0: all are told apart.
  struct Fold {
    int64_t start = 0;
    int64_t stride = 0;
  };
  Fold fold(ObjectId object) const;
  // What the call may reach in the program, callbacks of library functions included, but not threads.
  const std::vector<FunctionIndex>& callees(OpId call) const { return call_graph()->callees(call); }
  const std::vector<OpId>& callers(FunctionIndex function) const { return call_graph()->callers(function); }
  const std::shared_ptr<const CallGraph>& call_graph() const;
  // What it may reach of the libraries whose functions are known, and whether it may reach anything else.
  const std::vector<const ExternalModel*>& known_externals(OpId call) const;
  bool calls_unknown(OpId call) const;
  // Functions that run in a thread of their own: starts of pthread_create, std::thread, jthread, async, C11;
  // and those that unknown code may call, in whatever thread.
  const std::set<FunctionIndex>& thread_entries() const;
  const std::vector<ThreadStart>& thread_starts() const;
  // Functions that code outside the program may call.
  bool is_called_from_outside(FunctionIndex function) const;

 private:
  struct Impl;
  friend class PointsToBuilder;
  std::shared_ptr<const Impl> impl_;
};

// Which memory several threads may reach. escape.cpp
class Escape {
 public:
  Escape(const Program& program, const PointsTo& points_to);
  bool is_shared(const Pointee& memory) const;
  // Loads, stores, updates and copies that may touch shared memory.
  const std::vector<OpId>& shared_accesses() const;
  bool is_shared_access(OpId op) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

// Program dependence graph over nodes: data (through values, memory and calls) and control. pdg.cpp,
// slice.cpp
class Dependence {
 public:
  Dependence(const Program& program, const PointsTo& points_to);
  enum class Kind : uint8_t { kData, kControl, kCall };
  struct On {
    NodeId node;
    Kind kind;
  };
  std::vector<On> depends_on(NodeId node) const;
  std::vector<On> dependents(NodeId node) const;
  // Everything that may influence, or be influenced by, one of `from`; contains them.
  std::set<NodeId> backward_slice(const std::vector<NodeId>& from) const;
  std::set<NodeId> forward_slice(const std::vector<NodeId>& from) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

// Where which locks are held. locked_regions.cpp
struct LockedRegion {
  FunctionIndex function;
  OpId acquire;                      // the call, or the constructor of a guard
  std::vector<Pointee> locks;        // which it may be
  bool is_shared = false;            // a reader's
  bool is_conditional = false;       // try-locks, or not held on every path
  std::vector<uint32_t> nodes;       // of the function that may execute with it held, sorted
  std::vector<uint32_t> sure_nodes;  // of these, those that never execute without it
};
std::vector<LockedRegion> locked_regions(const Program& program, const PointsTo& points_to);

// The blocks of one version, walked together with those of the other (cfg_compare.cpp): which nodes of the
// head's function are nodes of the base's, and which old node stands for one that has no partner.
struct NodeMatch {
  uint32_t base_node =
      kNone;  // equal partner, or what it replaces, or that of the nearest dominator with one
  bool is_equal = false;
};
std::vector<NodeMatch> compare_functions(const Function& base, const Function& head);

}  // namespace heddle::program
