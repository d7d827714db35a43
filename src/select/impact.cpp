#include "select/impact.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <fmt/format.h>

#include "change/readable_text.h"
#include "program/flow_graph.h"
#include "program/ordering_names.h"
#include "select/changed_overrides.h"
#include "select/decided_locks.h"
#include "select/effects.h"
#include "select/initial_values.h"
#include "select/lock_orderings.h"
#include "select/new_callees.h"
#include "select/old_blocks.h"
#include "select/slice_change.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::NodeId;
using program::Op;
using program::OpId;
using program::OpKind;

namespace {

// Calls of a new function are looked for in so many places: beyond, one more says nothing new.
constexpr size_t kMaxCallSites = 64;

template <typename Visit>
void for_each_op(const Function& function, const Visit& visit) {
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) visit(b, o, function.blocks[b].ops[o]);
}

std::string quoted(const program::Node& node) {
  return node.text.empty() ? fmt::format("line {}", node.range.first_line)
                           : fmt::format("`{}`", readable_text(node.text));
}

// Waits, notifies, joins, fences.
bool orders_threads(const program::Program& program, const NodeId& node) {
  const program::Unit& unit = program.unit_of(node.function);
  bool orders = false;
  for_each_op(program.function(node.function), [&](uint32_t, uint32_t, const Op& op) {
    if (op.node != node.node) return;
    orders |= op.kind == OpKind::kFence || (op.kind == OpKind::kCall && op.symbol != kNone &&
                                            program::is_ordering_operation(unit.symbols[op.symbol]));
  });
  return orders;
}

class Analyzer {
 public:
  Analyzer(const ProgramStructure& base, const AnalysedProgram& head, const SourceChange& change,
           std::vector<SharedVariable> variables, const ImpactOptions& options)
      : base_(base),
        head_(head),
        options_(options),
        versions_(base.program, head.program, change),
        locks_(base, head, versions_),
        initial_values_(head.program, change.statements),
        blocks_(&base),
        variables_of_(head.program.size()) {
    result_.variables = std::move(variables);
    for (uint32_t i = 0; i < result_.variables.size(); ++i)
      variables_of_[result_.variables[i].node.function].push_back(i);
  }

  ChangedProgram run() {
    find_changed_nodes();
    map_to_old_blocks();
    apply_changes();                      // rules 1, 2 and 4
    apply_locks();                        // rule 3
    apply_orderings();                    // rule 3, for what is no lock
    if (options_.slices) apply_slices();  // rule 5
    apply_decided_locks();                // rule 3 again
    add_newly_called();
    apply_assumptions();
    add_lock_orderings();  // rule 3, for acquisitions under which nothing is shared
    result_.old_blocks = blocks_.take();
    return std::move(result_);
  }

 private:
  struct Change {
    Rule rule = Rule::kAccess;
    uint32_t cause = kNone;
  };

  uint32_t cause(std::string text) {
    const auto [known, is_new] =
        cause_numbers_.try_emplace(text, static_cast<uint32_t>(result_.causes.size()));
    if (is_new) result_.causes.push_back(std::move(text));
    return known->second;
  }

  void impact(uint32_t variable, Rule rule, uint32_t cause) {
    SharedVariable& it = result_.variables[variable];
    if (it.is_impacted() && !(it.rule == Rule::kSlice && rule == Rule::kSynchronisation)) return;
    it.rule = rule;
    it.cause = cause;
  }

  // Nodes of functions that both versions have whose statement the change adds, modifies or gives another
  // meaning.
  void find_changed_nodes() {
    for (FunctionIndex f = 0; f < head_.program.size(); ++f) {
      if (!versions_.is_compared(f) || !versions_.is_in_base(f)) continue;
      const Function& function = head_.program.function(f);
      for (uint32_t n = 0; n < function.nodes.size(); ++n) {
        const StatementChange* change = versions_.change_of({f, n});
        const std::optional<VersionMap::OldNode>& old = versions_.nodes(f)[n];
        const bool is_equal = old && old->is_equal;
        if (change == nullptr && is_equal) continue;
        changed_[{f, n}] = describe_change(function.nodes[n], change);
      }
    }
  }

  Change describe_change(const program::Node& node, const StatementChange* change) {
    if (change == nullptr)
      return {Rule::kAccess, cause(fmt::format("leads to {} by another way", quoted(node)))};
    switch (change->reason) {
      case ChangeReason::kDeclaration:
        return {Rule::kQualifier, cause("says that " + change->because)};
      case ChangeReason::kMacro:
        return {Rule::kAccess, cause("says that " + change->because)};
      default:
        return {Rule::kAccess,
                cause(fmt::format("{} {}", change->kind == ChangeKind::kAdded ? "adds" : "changes",
                                  quoted(node)))};
    }
  }

  // --- the block of the old program

  void map_to_old_blocks() {
    originals_ = static_cast<uint32_t>(result_.variables.size());
    for (uint32_t i = 0; i < originals_; ++i) {
      const NodeId node = result_.variables[i].node;
      if (versions_.is_in_base(node.function)) {
        set_old(i, node);
      } else {
        map_to_callers(i);
      }
    }
  }

  void set_old(uint32_t variable, const NodeId& at) {
    SharedVariable& it = result_.variables[variable];
    const std::optional<VersionMap::OldNode> old = versions_.old_of(at);
    if (!old) return;
    it.old_block = blocks_.add(*old);
    it.old_function = old->function->name;
  }

  // Where the nearest functions that the old program has too call what it has not. Each such place stands for
  // the variable: it is copied.
  void map_to_callers(uint32_t variable) {
    const std::vector<NodeId>& sites = call_sites(result_.variables[variable].node.function);
    for (size_t i = 0; i < sites.size(); ++i) {
      const uint32_t at = i == 0 ? variable : copy(variable);
      set_old(at, sites[i]);
    }
  }

  uint32_t copy(uint32_t variable) {
    const auto at = static_cast<uint32_t>(result_.variables.size());
    SharedVariable copied = result_.variables[variable];
    copied.old_block = kNone;
    copied.old_function.clear();
    if (!copied.is_acquisition) {
      copied.rule = Rule::kUnaffected;
      copied.cause = kNone;
    }
    variables_of_[copied.node.function].push_back(at);
    result_.variables.push_back(std::move(copied));
    return at;
  }

  const std::vector<NodeId>& call_sites(FunctionIndex added) {
    const auto [known, is_new] = call_sites_.try_emplace(added);
    if (!is_new) return known->second;
    std::set<NodeId> sites;
    std::set<FunctionIndex> seen{added};
    std::vector<FunctionIndex> level{added};
    while (!level.empty() && sites.empty()) {
      std::vector<FunctionIndex> above;
      const auto visit = [&](const OpId& call) {
        const uint32_t node = op_at(call).node;
        const Function& caller = head_.program.function(call.function);
        if (!is_of_a_library(caller) && versions_.is_in_base(call.function) && node != kNone) {
          if (sites.size() < kMaxCallSites) sites.insert({call.function, node});
        } else if (seen.insert(call.function).second) {
          above.push_back(call.function);
        }
      };
      for (const FunctionIndex f : level) {
        for (const OpId& call : head_.points_to.callers(f)) visit(call);
        for (const program::ThreadStart& start : head_.points_to.thread_starts())
          if (start.entry == f) visit(start.call);
      }
      level = std::move(above);
    }
    return known->second = {sites.begin(), sites.end()};
  }

  const Op& op_at(const OpId& id) const {
    return head_.program.function(id.function).blocks[id.block].ops[id.op];
  }

  // --- rules 1, 2, 4

  void apply_changes() {
    for (uint32_t i = 0; i < result_.variables.size(); ++i) {
      const NodeId node = result_.variables[i].node;
      const std::string& name = head_.program.function(node.function).name;
      if (!versions_.is_in_base(node.function)) {
        impact(i, Rule::kFunction, cause(fmt::format("adds {}", name)));
      } else if (const auto found = changed_.find(node); found != changed_.end()) {
        impact(i, found->second.rule, found->second.cause);
      } else if (versions_.has_other_head(node.function)) {
        impact(i, Rule::kFunction, cause(fmt::format("gives {} other parameters or qualifiers", name)));
      }
    }
  }

  // --- rule 3

  void apply_locks() { apply_to_held(locks_.all()); }

  // What is executed under other locks: the nodes themselves, and all that they call.
  void apply_to_held(const std::map<NodeId, std::string>& nodes) {
    std::map<FunctionIndex, uint32_t> called;  // from there, with the cause
    for (const auto& [node, words] : nodes) {
      const uint32_t why = cause(words);
      for (const uint32_t variable : variables_of_[node.function])
        if (result_.variables[variable].node == node) impact(variable, Rule::kSynchronisation, why);
      for_each_callee(node, [&](FunctionIndex callee) { called.try_emplace(callee, why); });
    }
    std::deque<FunctionIndex> open;
    for (const auto& [function, why] : called) open.push_back(function);
    while (!open.empty()) {
      const FunctionIndex f = open.front();
      open.pop_front();
      const uint32_t why = called.at(f);
      for (const uint32_t variable : variables_of_[f]) impact(variable, Rule::kSynchronisation, why);
      for_each_op(head_.program.function(f), [&](uint32_t b, uint32_t o, const Op& op) {
        if (op.kind != OpKind::kCall) return;
        head_.calls.for_each_callee({f, b, o}, [&](FunctionIndex callee) {
          if (called.try_emplace(callee, why).second) open.push_back(callee);
        });
      });
    }
  }

  template <typename Visit>
  void for_each_callee(const NodeId& node, const Visit& visit) const {
    for_each_op(head_.program.function(node.function), [&](uint32_t b, uint32_t o, const Op& op) {
      if (op.kind != OpKind::kCall || op.node != node.node) return;
      head_.calls.for_each_callee({node.function, b, o}, visit);
    });
  }

  void apply_orderings() {
    std::map<NodeId, uint32_t> changed;  // with the cause
    for (const auto& [node, change] : changed_) changed.emplace(node, change.cause);
    for (const auto& [node, name] : initial_values_.users())
      changed.emplace(node, cause(fmt::format("gives {} another initial value", short_name(name))));
    for (const auto& [node, why] : calls_of_changed_through_libraries()) changed.emplace(node, why);
    for (const auto& [node, why] : changed) {
      const Function& function = head_.program.function(node.function);
      if (!orders_threads(head_.program, node)) continue;
      const uint32_t at = add_ordering(function.name, function.nodes[node.node], why);
      result_.variables[at].node = node;
      set_old(at, node);
    }
    for (FunctionIndex f = 0; f < head_.program.size(); ++f) {
      const FunctionIndex before = versions_.is_compared(f) ? versions_.base_function(f) : kNone;
      if (before == kNone) continue;
      const Function& function = base_.program.function(before);
      for (const uint32_t node : versions_.removed_nodes(f)) {
        if (!orders_threads(base_.program, {before, node})) continue;
        const uint32_t at =
            add_ordering(function.name, function.nodes[node],
                         cause(fmt::format("removes or changes {}", quoted(function.nodes[node]))));
        set_old_to_base(at, function, node);
      }
    }
    for (const auto& [f, class_name] : changed_overrides(base_.program, head_.program, versions_)) {
      const Function& function = base_.program.function(f);
      if (function.nodes.empty()) continue;
      const uint32_t why = cause(
          fmt::format("lets {} override something else than {}", short_name(class_name), function.name));
      set_old_to_base(add_ordering(function.name, function.nodes.front(), why), function, 0);
    }
  }

  void set_old_to_base(uint32_t variable, const Function& function, uint32_t node) {
    SharedVariable& it = result_.variables[variable];
    it.old_block = blocks_.add({&function, node, function.nodes[node].file, true});
    it.old_function = function.name;
  }

  // What is given to a library to be called there: the predicate of a wait.
  std::map<NodeId, uint32_t> calls_of_changed_through_libraries() const {
    std::map<NodeId, uint32_t> calls;
    std::set<FunctionIndex> seen;
    for (const auto& [node, change] : changed_) {
      std::vector<FunctionIndex> open;
      if (seen.insert(node.function).second) open.push_back(node.function);
      while (!open.empty()) {
        const FunctionIndex f = open.back();
        open.pop_back();
        for (const OpId& call : head_.points_to.callers(f)) {
          const bool is_in_library = is_of_a_library(head_.program.function(call.function));
          const uint32_t at = op_at(call).node;
          if (is_in_library) {
            if (seen.insert(call.function).second) open.push_back(call.function);
          } else if (f != node.function && at != kNone) {
            calls.emplace(NodeId{call.function, at}, change.cause);
          }
        }
      }
    }
    return calls;
  }

  uint32_t add_ordering(const std::string& function, const program::Node& node, uint32_t why) {
    SharedVariable variable;
    variable.function = function;
    variable.name = node.text.empty() ? "" : readable_text(node.text);
    variable.file = node.file;
    variable.line = node.range.first_line;
    variable.is_write = true;
    variable.rule = Rule::kSynchronisation;
    variable.cause = why;
    const auto at = static_cast<uint32_t>(result_.variables.size());
    result_.variables.push_back(std::move(variable));
    result_.orderings.push_back(at);
    return at;
  }

  // --- rule 5

  void apply_slices() {
    std::vector<NodeId> changed;
    for (const auto& [node, change] : changed_) changed.push_back(node);
    for (const auto& [node, name] : initial_values_.users()) changed.push_back(node);
    const ChangeSlices slices = slice_change(base_, head_, versions_, changed);
    apply_slice(slices.of_changed, "changes what this depends on");
    apply_slice(slices.of_removed, "removes what this depended on");
    for (const ValueSlice* slice : {&slices.of_changed, &slices.of_removed})
      sliced_.insert(slice->nodes.begin(), slice->nodes.end());
  }

  void apply_decided_locks() {
    std::set<NodeId> nodes = sliced_;
    for (const auto& [node, change] : changed_) nodes.insert(node);
    for (const auto& [node, name] : initial_values_.users()) nodes.insert(node);
    apply_to_held(under_decided_locks(
        head_, {.nodes = nodes, .variables = result_.variables, .variables_of = variables_of_}));
  }

  void apply_slice(const ValueSlice& slice, const std::string& why) {
    for (uint32_t i = 0; i < result_.variables.size(); ++i) {
      SharedVariable& variable = result_.variables[i];
      if (!slice.nodes.contains(variable.node)) continue;
      if (!variable.is_impacted()) variable.moves = slice.moved.contains(variable.node);
      impact(i, Rule::kSlice, cause(why));
    }
  }

  // --- what the change calls

  // A function that is called from a new place, or under other locks, makes its accesses there, too: tests
  // that reach the place will make them, though they have not done so before.
  void add_newly_called() {
    for (const auto& [node, change] : changed_) {
      std::set<FunctionIndex> callees;
      for_each_callee(node, [&](FunctionIndex callee) {
        if (!was_called(node, callee)) callees.insert(callee);
      });
      make_accesses_at(node, callees, change.cause);
    }
    std::set<std::pair<FunctionIndex, std::set<FunctionIndex>>> instead;
    for (const auto& [node, calls] : new_callees(base_, head_, versions_)) {
      if (changed_.contains(node)) continue;
      const program::Node& at = head_.program.function(node.function).nodes[node.node];
      const uint32_t why = cause(fmt::format("lets {} call something else", quoted(at)));
      std::vector<uint32_t> own;
      for (const uint32_t variable : variables_of_[node.function])
        if (variable < originals_ && result_.variables[variable].node == node) own.push_back(variable);
      for (const uint32_t variable : own) impact(variable, Rule::kAccess, why);
      make_accesses_at(node, calls.callees, why);
      // Who has executed what is lost executes what stands in for it. A caller that does nothing itself may
      // not have been seen.
      for (const FunctionIndex f : calls.lost) {
        const Function& lost = base_.program.function(f);
        if (lost.nodes.empty()) continue;
        const auto set_old_to_lost = [&](uint32_t variable) { set_old_to_base(variable, lost, 0); };
        for (const uint32_t variable : own) copy_to(variable, why, set_old_to_lost);
        if (!instead.emplace(f, calls.callees).second) continue;
        make_accesses(head_.calls.reached_from(calls.callees), why, set_old_to_lost);
      }
    }
  }

  void make_accesses_at(const NodeId& node, const std::set<FunctionIndex>& callees, uint32_t why) {
    const auto is_at_call_already = [&](FunctionIndex f) { return !versions_.is_in_base(f); };
    std::set<FunctionIndex> all = head_.calls.reached_from(callees);
    std::erase_if(all, is_at_call_already);
    make_accesses(all, why, [&](uint32_t variable) { set_old(variable, node); });
  }

  template <typename SetOld>
  void make_accesses(const std::set<FunctionIndex>& functions, uint32_t why, const SetOld& set_old_of) {
    for (const FunctionIndex f : functions) {
      const std::vector<uint32_t> variables = variables_of_[f];
      for (const uint32_t variable : variables)
        if (variable < originals_ && !result_.variables[variable].is_own_construction)
          copy_to(variable, why, set_old_of);
    }
  }

  template <typename SetOld>
  void copy_to(uint32_t variable, uint32_t why, const SetOld& set_old_of) {
    const uint32_t at = copy(variable);
    set_old_of(at);
    impact(at, Rule::kAccess, why);
  }

  // By a statement of the function that is no longer there as it was, with the same locks held.
  bool was_called(const NodeId& node, FunctionIndex callee) {
    const FunctionIndex before = versions_.base_function(node.function);
    const std::string& name = head_.program.function(callee).name;
    const Function& function = base_.program.function(before);
    const LockChanges::Held& held = locks_.held_in_head(node);
    const std::vector<uint32_t> removed = versions_.removed_nodes(node.function);
    bool found = false;
    for_each_op(function, [&](uint32_t b, uint32_t o, const Op& op) {
      if (found || op.kind != OpKind::kCall || op.node == kNone) return;
      if (!std::binary_search(removed.begin(), removed.end(), op.node)) return;
      if (locks_.held_in_base({before, op.node}) != held) return;
      base_.calls.for_each_callee(
          {before, b, o}, [&](FunctionIndex other) { found |= base_.program.function(other).name == name; });
    });
    return found;
  }

  // What cannot be analysed counts as changed.
  void apply_assumptions() {
    for (uint32_t i = 0; i < result_.variables.size(); ++i) {
      const NodeId node = result_.variables[i].node;
      if (node.function == kNone) continue;
      auto why = options_.assumed.find(result_.variables[i].file);
      if (why == options_.assumed.end())
        why = options_.assumed.find(head_.program.unit_of(node.function).file);
      if (why != options_.assumed.end())
        impact(i, Rule::kAssumed, cause("cannot be followed here: " + why->second));
    }
  }

  // --- acquisitions

  // As if a lock were memory: what waits for each other is a pair.
  void add_lock_orderings() {
    std::map<std::string, uint32_t> numbers;
    uint32_t next = 1;
    for (const SharedVariable& variable : result_.variables)
      for (const Location& location : variable.locations)
        next = std::max({next, location.leaf + 1, location.root + 1});
    for (const LockOrdering& ordering : find_lock_orderings(base_, head_, versions_)) {
      const FunctionIndex f = ordering.acquired_at.function;
      const Function& function = head_.program.function(f);
      const program::Node& node = function.nodes[ordering.acquired_at.node];
      SharedVariable variable;
      variable.function = function.name;
      variable.name = short_name(ordering.locks.front());
      variable.file = node.file;
      variable.line = node.range.first_line;
      variable.is_write = !ordering.region->is_shared;
      variable.is_acquisition = true;
      variable.node = ordering.acquired_at;
      for (const std::string& lock : ordering.locks) {
        const uint32_t number = numbers.try_emplace(lock, next + numbers.size()).first->second;
        variable.locations.push_back({number, 0, true});
      }
      std::sort(variable.locations.begin(), variable.locations.end());
      if (ordering.is_changed) {
        const auto known = changed_.find(ordering.acquired_at);
        variable.rule = Rule::kSynchronisation;
        variable.cause = known != changed_.end()
                             ? known->second.cause
                             : cause(fmt::format("locks by {} as it did not", quoted(node)));
      }
      const auto at = static_cast<uint32_t>(result_.variables.size());
      result_.variables.push_back(std::move(variable));
      if (versions_.is_in_base(f)) {
        set_old_region(at, *ordering.region, ordering.acquired_at);
      } else {
        map_to_callers(at);
      }
    }
  }

  // Who has the lock matters as long as it has it, and others may come only then.
  void set_old_region(uint32_t variable, const program::LockedRegion& region, const NodeId& acquired_at) {
    const std::optional<VersionMap::OldNode> old = versions_.old_of(acquired_at);
    if (!old) return;
    std::vector<VersionMap::OldNode> held;
    for (const uint32_t node : region.nodes)
      if (const auto there = versions_.old_of({region.function, node}); there && there->is_equal)
        held.push_back(*there);
    SharedVariable& it = result_.variables[variable];
    it.old_block = blocks_.add_with(*old, held);
    it.old_function = old->function->name;
  }

  const ProgramStructure& base_;
  const AnalysedProgram& head_;
  const ImpactOptions options_;
  const VersionMap versions_;
  const LockChanges locks_;
  const InitialValues initial_values_;
  OldBlocks blocks_;
  ChangedProgram result_;
  std::vector<std::vector<uint32_t>> variables_of_;  // by function
  uint32_t originals_ = 0;                           // what follows are copies and orderings
  std::map<NodeId, Change> changed_;
  std::set<NodeId> sliced_;  // what depends on them
  std::map<std::string, uint32_t> cause_numbers_;
  std::map<FunctionIndex, std::vector<NodeId>> call_sites_;
};

}  // namespace

ChangedProgram analyse_impact(const ProgramStructure& base, const AnalysedProgram& head,
                              const SourceChange& change, std::vector<SharedVariable> variables,
                              const ImpactOptions& options) {
  return Analyzer(base, head, change, std::move(variables), options).run();
}

}  // namespace heddle::select
