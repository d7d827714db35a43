// Where locks are held, function by function.
//
// Every call is looked at for what it acquires and releases: by its name (lock_names.h), or because its
// callee ends with a lock held, or releases one that it has not acquired (a summary, computed until nothing
// changes: so a class of the program's own that locks in its constructor is a guard as well). A region is
// what can be executed from an acquisition on, up to a release of the same lock.
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <unordered_map>

#include "program/analyses.h"
#include "program/lock_bodies.h"
#include "program/lock_names.h"

namespace heddle::program {
namespace {

using Locks = std::set<Pointee>;

struct Event {
  OpId at;
  Locks acquired;
  Locks released;
  bool is_shared = false;
  bool is_conditional = false;
};

struct Summary {
  Locks held;  // at the end
  Locks released;
  bool is_shared = false;
  bool is_conditional = false;
  bool operator==(const Summary&) const = default;
};

bool overlap(const Locks& a, const Locks& b) {
  return std::any_of(a.begin(), a.end(), [&](const Pointee& lock) { return b.contains(lock); });
}

class Finder {
 public:
  Finder(const Program& program, const PointsTo& points_to)
      : program_(program),
        points_to_(points_to),
        bodies_(program),
        summaries_(program.size()),
        has_lock_calls_(program.size()) {
    for (const Unit& unit : program.units()) {
      for (const Symbol& symbol : unit.symbols) {
        if (!symbol.is_function || symbol.linkage_name.find("unlock") == std::string::npos) continue;
        const LockOperation operation = lock_operation(symbol);
        if (operation.kind == LockOperation::Kind::kUnlock) unlockable_.insert(operation.of_class);
      }
    }
  }

  std::vector<LockedRegion> run() {
    find_lock_calls();
    // Guards first, twice for those that are moved: whose locks a destructor releases is then known
    // everywhere.
    for (int round = 0; round < 2; ++round)
      for (FunctionIndex f = 0; f < program_.size(); ++f)
        if (has_lock_calls_[f]) events_of(f);
    // Functions that neither lock nor call who does are most of a program, and no more is asked of them.
    std::vector<bool> may_lock = has_lock_calls_;
    std::deque<FunctionIndex> open;
    std::vector<bool> is_open(program_.size(), true);
    for (FunctionIndex f = 0; f < program_.size(); ++f) open.push_back(f);
    while (!open.empty()) {
      const FunctionIndex f = open.front();
      open.pop_front();
      is_open[f] = false;
      if (!may_lock[f]) continue;
      const Summary before = summaries_[f];
      regions_of(f, nullptr);
      if (summaries_[f] == before) continue;
      for (const OpId& caller : points_to_.callers(f)) {
        if (!is_open[caller.function]) open.push_back(caller.function);
        is_open[caller.function] = may_lock[caller.function] = true;
      }
    }
    std::vector<LockedRegion> regions;
    for (FunctionIndex f = 0; f < program_.size(); ++f)
      if (may_lock[f]) regions_of(f, &regions);
    return regions;
  }

 private:
  using Position = std::pair<uint32_t, uint32_t>;  // block, operation

  void find_lock_calls() {
    for (FunctionIndex f = 0; f < program_.size(); ++f) {
      const Unit& unit = program_.unit_of(f);
      for (const Block& block : program_.function(f).blocks) {
        const auto is_lock_call = [&](const Op& op) {
          return op.kind == OpKind::kCall && op.symbol != kNone &&
                 operation_of(unit, op.symbol).kind != LockOperation::Kind::kOther;
        };
        if (!std::any_of(block.ops.begin(), block.ops.end(), is_lock_call)) continue;
        has_lock_calls_[f] = !is_lock_function(f);
        break;
      }
    }
  }

  const LockOperation& operation_of(const Unit& unit, uint32_t symbol) {
    const auto [entry, is_new] = operations_.try_emplace(program_.global_symbol(unit, symbol));
    if (is_new) entry->second = lock_operation(unit.symbols[symbol]);
    const std::string& klass = entry->second.of_class;
    if (is_new && !klass.empty() && !unlockable_.contains(klass)) entry->second = {};
    if (is_new && is_for_show(unit, symbol, entry->second)) {
      if (entry->second.kind == LockOperation::Kind::kGuard) {
        entry->second.is_deferred = true;
      } else {
        entry->second = {};
      }
    }
    return entry->second;
  }

  // It is called a lock, and locks nothing.
  bool is_for_show(const Unit& unit, uint32_t symbol, const LockOperation& operation) {
    using Kind = LockOperation::Kind;
    const bool locks = operation.kind == Kind::kLock || operation.kind == Kind::kGuardLock ||
                       (operation.kind == Kind::kGuard && !operation.is_taken_over);
    return locks && !bodies_.may_exclude(unit, symbol);
  }

  Locks locks_of(FunctionIndex f, ValueId value) const {
    Locks locks;
    for (const Pointee& pointee : points_to_.pointees(f, value)) {
      if (points_to_.objects()[pointee.object].kind != MemoryObject::Kind::kFunction) locks.insert(pointee);
    }
    return locks;
  }

  Locks locks_of_guard(FunctionIndex f, ValueId guard) const {
    Locks locks;
    for (const Pointee& pointee : points_to_.pointees(f, guard)) {
      const auto found = guards_.find(pointee);
      if (found != guards_.end()) locks.insert(found->second.begin(), found->second.end());
    }
    return locks;
  }

  // Of a constructor's arguments.
  Locks locks_given(FunctionIndex f, const std::vector<ValueId>& operands) const {
    Locks locks;
    for (size_t i = 1; i < operands.size(); ++i) {
      for (const Pointee& pointee : points_to_.pointees(f, operands[i])) {
        const auto other = guards_.find(pointee);  // moved from
        if (other != guards_.end()) {
          locks.insert(other->second.begin(), other->second.end());
        } else if (points_to_.objects()[pointee.object].kind != MemoryObject::Kind::kFunction) {
          locks.insert(pointee);
        }
      }
    }
    return locks;
  }

  Event event_of(const OpId& id, const Op& op) {
    using Kind = LockOperation::Kind;
    Event event{.at = id, .acquired = {}, .released = {}};
    LockOperation operation;
    if (op.symbol != kNone) operation = operation_of(program_.unit_of(id.function), op.symbol);
    if (operation.kind != Kind::kOther && op.operands.empty()) return event;
    event.is_shared = operation.is_shared;
    event.is_conditional = operation.is_attempt;
    switch (operation.kind) {
      case Kind::kOther:
        add_summaries(event, id, op);
        break;
      case Kind::kLock:
        for (size_t i = 0; i < (operation.all_arguments ? op.operands.size() : 1); ++i) {
          event.acquired.merge(locks_of(id.function, op.operands[i]));
        }
        break;
      case Kind::kUnlock:
        event.released = locks_of(id.function, op.operands[0]);
        break;
      case Kind::kGuard: {
        const Locks locks = locks_given(id.function, op.operands);
        for (const Pointee& guard : points_to_.pointees(id.function, op.operands[0])) {
          guards_[guard].insert(locks.begin(), locks.end());
        }
        if (!operation.is_deferred) event.acquired = locks;
        break;
      }
      case Kind::kGuardLock:
        event.acquired = locks_of_guard(id.function, op.operands[0]);
        break;
      case Kind::kGuardUnlock:
        event.released = locks_of_guard(id.function, op.operands[0]);
        break;
    }
    return event;
  }

  // Of all the locks a callee may mean, those that this call's arguments lead to, if there are any.
  void add_summaries(Event& event, const OpId& id, const Op& op) const {
    std::set<ObjectId> near;   // what the arguments point to
    std::set<ObjectId> after;  // and what is kept there
    bool is_filled = false;
    auto relevant = [&](const Locks& locks) {
      if (locks.size() < 2) return locks;
      for (size_t i = 0; i < op.operands.size() && !is_filled; ++i) {
        for (const Pointee& pointee : points_to_.pointees(id.function, op.operands[i])) {
          near.insert(pointee.object);
          for (const Pointee& held : points_to_.contents({pointee.object, kAnyOffset}))
            after.insert(held.object);
        }
      }
      is_filled = true;
      for (const std::set<ObjectId>* objects : {&near, &after}) {
        Locks chosen;
        for (const Pointee& lock : locks) {
          if (objects->contains(lock.object)) chosen.insert(lock);
        }
        if (!chosen.empty()) return chosen;
      }
      return locks;
    };
    for (FunctionIndex callee : points_to_.callees(id)) {
      const Summary& summary = summaries_[callee];
      event.acquired.merge(relevant(summary.held));
      event.released.merge(relevant(summary.released));
      event.is_shared |= summary.is_shared;
      event.is_conditional |= summary.is_conditional;
    }
  }

  // How a lock works inside is not a region.
  bool is_lock_function(FunctionIndex f) {
    const uint32_t symbol = program_.function(f).symbol;
    return symbol != kNone && operation_of(program_.unit_of(f), symbol).kind != LockOperation::Kind::kOther;
  }

  std::map<Position, Event> events_of(FunctionIndex f) {
    const Function& function = program_.function(f);
    std::map<Position, Event> events;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
        const Op& op = function.blocks[b].ops[o];
        if (op.kind != OpKind::kCall) continue;
        Event event = event_of({f, b, o}, op);
        if (!event.acquired.empty() || !event.released.empty())
          events.emplace(Position{b, o}, std::move(event));
      }
    }
    return events;
  }

  void regions_of(FunctionIndex f, std::vector<LockedRegion>* regions) {
    const Function& function = program_.function(f);
    if (is_lock_function(f)) return;
    const std::map<Position, Event> events = events_of(f);
    Summary summary;
    for (const auto& [position, event] : events) {
      if (event.acquired.empty()) {
        const std::set<Position> without = walk(function, events, {{0, 0}}, event.released, true);
        if (without.contains(position)) summary.released.insert(event.released.begin(), event.released.end());
        continue;
      }
      bool reaches_end = false;
      const std::set<Position> held =
          walk(function, events, held_from(function, position, event), event.acquired, false, &reaches_end);
      // Positions that are also reached without the lock: from the entry, and after each release.
      std::vector<Position> starts{{0, 0}};
      for (const auto& [at, other] : events) {
        if (overlap(other.released, event.acquired)) starts.push_back({at.first, at.second + 1});
      }
      const std::set<Position> without = walk(function, events, starts, event.acquired, true);
      LockedRegion region{.function = f, .acquire = event.at, .locks = {}, .nodes = {}, .sure_nodes = {}};
      region.locks.assign(event.acquired.begin(), event.acquired.end());
      region.is_shared = event.is_shared;
      region.is_conditional = event.is_conditional;
      std::set<uint32_t> nodes;
      std::set<uint32_t> unsure;
      for (const Position& at : held) {
        const Op& op = function.blocks[at.first].ops[at.second];
        if (op.node != kNone) nodes.insert(op.node);
        const bool is_event = events.contains(at) && !events.at(at).released.empty();
        if (is_event || !without.contains(at) || at == position) continue;
        region.is_conditional = true;
        unsure.insert(op.node);
      }
      region.nodes.assign(nodes.begin(), nodes.end());
      // What a call acquires that may fail is held only where its result says so.
      if (!event.is_conditional || held_from(function, position, event) != after(position))
        std::set_difference(nodes.begin(), nodes.end(), unsure.begin(), unsure.end(),
                            std::back_inserter(region.sure_nodes));
      if (reaches_end) {
        summary.held.insert(event.acquired.begin(), event.acquired.end());
        summary.is_shared |= region.is_shared;
        summary.is_conditional |= region.is_conditional;
      }
      if (regions != nullptr) regions->push_back(std::move(region));
    }
    if (regions == nullptr) summaries_[f] = std::move(summary);
  }

  static std::vector<Position> after(const Position& position) {
    return {{position.first, position.second + 1}};
  }

  // Where it goes on with the lock held. `if (m.try_lock())` is left on one side without it.
  static std::vector<Position> held_from(const Function& function, const Position& position,
                                         const Event& event) {
    const std::vector<Position> next = after(position);
    const Block& block = function.blocks[position.first];
    if (!event.is_conditional || block.ops[position.second].result == kNone) return next;
    for (uint32_t o = position.second + 1; o < block.ops.size(); ++o) {
      const Op& op = block.ops[o];
      if (op.kind == OpKind::kConstant || op.kind == OpKind::kBranch) continue;
      return next;  // it does something with the result, or something else first
    }
    if (block.ops.back().kind != OpKind::kBranch || block.ops.back().operands.empty() ||
        block.ops.back().operands[0] != block.ops[position.second].result)
      return next;
    for (const Edge& edge : block.edges)
      if (edge.label == "true") return {{edge.to, 0}};
    return next;
  }

  // Operations that may be executed from `starts` on, up to those that acquire (`until_acquired`) or release
  // one of `locks`, which are included.
  static std::set<Position> walk(const Function& function, const std::map<Position, Event>& events,
                                 std::vector<Position> starts, const Locks& locks, bool until_acquired,
                                 bool* reaches_end = nullptr) {
    std::set<Position> seen;
    std::set<uint32_t> entered;  // blocks, from their beginning
    while (!starts.empty()) {
      auto [block, op] = starts.back();
      starts.pop_back();
      const Block& it = function.blocks[block];
      bool goes_on = true;
      bool ended = false;
      for (; op < it.ops.size() && goes_on; ++op) {
        if (!seen.insert({block, op}).second) break;
        ended = it.ops[op].kind == OpKind::kReturn;
        const auto event = events.find({block, op});
        if (event == events.end()) continue;
        if (overlap(until_acquired ? event->second.acquired : event->second.released, locks)) goes_on = false;
      }
      if (!goes_on || op < it.ops.size()) {
        // An operation that releases may throw instead; what it then leads to is not held either.
        continue;
      }
      if (ended && reaches_end != nullptr) *reaches_end = true;
      for (const Edge& edge : it.edges) {
        if (entered.insert(edge.to).second) starts.push_back({edge.to, 0});
      }
    }
    return seen;
  }

  const Program& program_;
  const PointsTo& points_to_;
  LockBodies bodies_;
  std::vector<Summary> summaries_;
  std::vector<bool> has_lock_calls_;  // by function; not those that are locks' own
  std::map<Pointee, Locks> guards_;
  std::unordered_map<uint32_t, LockOperation> operations_;
  std::set<std::string> unlockable_;  // classes with unlock()
};

}  // namespace

std::vector<LockedRegion> locked_regions(const Program& program, const PointsTo& points_to) {
  return Finder(program, points_to).run();
}

}  // namespace heddle::program
