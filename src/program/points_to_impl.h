// What the points-to analysis keeps, and how it is made. For points_to*.cpp.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "program/analyses.h"
#include "program/class_hierarchy.h"
#include "program/constraint_graph.h"
#include "program/externals.h"
#include "program/number_set.h"

namespace heddle::program {

// A call of the program as the analysis sees it.
struct CallSite {
  OpId op;
  std::vector<FunctionIndex> callees;  // until the call graph has them
  std::vector<const ExternalModel*> externals;
  bool calls_unknown = false;
};

struct PointsTo::Impl {
  ConstraintGraph graph;
  std::vector<MemoryObject> objects;
  std::vector<uint32_t> first_value;  // of each function: the node of its first value
  std::vector<uint32_t> returned;     // of each function: the node of what it returns
  std::vector<CallSite> calls;        // in the order of their OpId
  std::vector<uint32_t> first_call;   // of each function, in `calls`; one more at the end
  std::shared_ptr<const CallGraph> call_graph;
  std::set<FunctionIndex> thread_entries;
  std::vector<ThreadStart> thread_starts;
  std::vector<bool> called_from_outside;

  const CallSite* find(OpId call) const;
  std::vector<Pointee> described(const SparseBits& places) const;
};

// Turns the operations of a program into constraints, and new callees into more of them.
class PointsToBuilder {
 public:
  explicit PointsToBuilder(const Program& program);
  std::shared_ptr<const PointsTo::Impl> build();

 private:
  // Something whose callees are found as the sets grow.
  struct Target {
    enum class Kind : uint8_t { kCall, kCallback, kStart, kStartObject };
    Kind kind;
    uint32_t call;                    // in Impl::calls
    std::vector<uint32_t> arguments;  // nodes
    uint32_t result = kNone;
    const Op* op = nullptr;
    FunctionIndex function = kNone;
    bool several = false;
    uint64_t stride = 0;  // of a callback: its arguments point to elements of that size
  };

  void add_globals();
  void add_function(FunctionIndex function);
  void find_set_once(const Function& function);
  void add_op(FunctionIndex function, OpId id, const Op& op);
  void add_call(FunctionIndex function, OpId id, const Op& op);
  void add_external(uint32_t target, const ExternalModel& model, const OpId& id);
  bool is_by_member_pointer(const Target& target) const;
  int64_t constant_of(FunctionIndex function, ValueId value) const;
  void link_nodes(const Target& target);
  void add_roots();
  void add_callee(uint32_t target, uint32_t object);
  void connect(uint32_t target, FunctionIndex callee);
  void call_unknown(const Target& target);
  void call_escaped(uint32_t target);
  // What a call of something outside, and a function that has gone there, must have in common.
  struct OutsideTarget {
    uint32_t target;
    bool by_table;  // through a virtual table that is known by its class
    bool by_member_pointer;
  };
  struct EscapedFunction {
    ObjectId object;
    uint32_t parameters;
    bool is_variadic;
    bool is_virtual;
  };
  void connect_escaped(const OutsideTarget& target, const EscapedFunction& function);
  void add_target(uint32_t callee, Target target);
  bool resolve_by_class();
  uint32_t value(FunctionIndex function, ValueId value) const { return impl_->first_value[function] + value; }
  uint32_t object_of_symbol(FunctionIndex in, uint32_t symbol);
  uint32_t new_object(MemoryObject object, bool is_opaque);
  void copy_memory(uint32_t to, uint32_t from, uint64_t size, OpId at);
  bool has_body(FunctionIndex function) const { return !program_.function(function).blocks.empty(); }

  const Program& program_;
  std::shared_ptr<PointsTo::Impl> impl_;
  ConstraintGraph& graph_;
  ClassHierarchy classes_;
  // Of the function that is being added: where a value is the address of a local variable, the node of what
  // that holds. Most accesses are to those, and need no rule.
  std::vector<uint32_t> variables_;
  std::vector<bool> is_set_once_;  // likewise, of those that are held in them
  std::vector<Target> targets_;
  std::vector<ObjectId> symbol_objects_;                     // by global symbol
  std::unordered_map<uint32_t, std::string> linkage_names_;  // of functions that are not defined
  NumberSet connected_;                                      // target and callee
  std::vector<OutsideTarget> targets_outside_;               // which may call what has escaped
  std::set<uint32_t> is_target_outside_;
  std::vector<EscapedFunction> escaped_functions_;
  std::map<std::pair<uint32_t, const ExternalModel*>, bool> external_done_;
};

}  // namespace heddle::program
