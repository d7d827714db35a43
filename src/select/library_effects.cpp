#include "select/library_effects.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <unordered_set>

#include "program/externals.h"
#include "program/lock_names.h"
#include "program/ordering_names.h"
#include "select/access_paths.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::MemoryOrder;
using program::Op;
using program::OpId;
using program::OpKind;
using program::ValueId;

namespace {

// What is done through parameters beyond counts as done through the last of these.
constexpr uint32_t kParameters = 64;

uint64_t bit_of(uint32_t parameter) {
  return uint64_t{1} << std::min(parameter, kParameters - 1);
}

// Which parameters each value may have been computed from. Local variables are taken for what was stored in
// them; what a call is given may end up in whatever else it is given the address of.
class Origins {
 public:
  explicit Origins(const Function& function)
      : function_(function), values_(function.values), locals_(function.values), roots_(function.values) {
    for (uint32_t i = 0; i < function.parameters; ++i) values_[i] = bit_of(i);
    do {
      has_changed_ = false;
      for (const program::Block& block : function.blocks)
        for (const Op& op : block.ops) pass(op);
    } while (has_changed_);
  }

  std::vector<uint64_t> take() { return std::move(values_); }

 private:
  void add(uint64_t& to, uint64_t more) {
    if ((to | more) == to) return;
    to |= more;
    has_changed_ = true;
  }

  // What the value is, or points to if it is the address of a local variable.
  uint64_t held(ValueId value) const {
    return roots_[value] == 0 ? values_[value] : locals_[roots_[value] - 1];
  }
  void put(ValueId address, uint64_t what) {
    if (roots_[address] != 0) add(locals_[roots_[address] - 1], what);
  }

  void pass(const Op& op) {
    switch (op.kind) {
      case OpKind::kLocal:
        roots_[op.result] = op.result + 1;
        return;
      case OpKind::kOffset:
      case OpKind::kElement:
        if (roots_[op.operands[0]] != roots_[op.result]) {
          roots_[op.result] = roots_[op.operands[0]];
          has_changed_ = true;
        }
        return add(values_[op.result], values_[op.operands[0]]);
      case OpKind::kLoad:
        return add(values_[op.result], held(op.operands[0]));
      case OpKind::kStore:
        return put(op.operands[0], held(op.operands[1]));
      case OpKind::kCopy:
        return put(op.operands[0], held(op.operands[1]));
      default:
        break;
    }
    if (op.kind != OpKind::kCompute && op.kind != OpKind::kCall && op.kind != OpKind::kUpdate) return;
    uint64_t all = 0;
    for (const ValueId operand : op.operands) all |= held(operand);
    if (op.result != kNone) add(values_[op.result], all);
    if (op.kind == OpKind::kCall)
      for (const ValueId operand : op.operands) put(operand, all);
  }

  const Function& function_;
  std::vector<uint64_t> values_;
  std::vector<uint64_t> locals_;  // by the value of its kLocal
  std::vector<uint32_t> roots_;   // 1 + the kLocal that a value is an address in; 0: none
  bool has_changed_ = false;
};

}  // namespace

LibraryEffects::LibraryEffects(const AnalysedProgram& program, const program::Escape& escape)
    : program_(program.program),
      points_to_(program.points_to),
      escape_(escape),
      calls_(program.calls),
      synchronisation_(program_.global_count(), Answer::kNotAsked) {}

bool LibraryEffects::is_synchronisation_symbol(FunctionIndex in, uint32_t symbol) {
  if (symbol == kNone) return false;
  Answer& answer = synchronisation_[program_.global_symbol(in, symbol)];
  if (answer == Answer::kNotAsked) {
    const program::Symbol& it = program_.unit_of(in).symbols[symbol];
    const bool is_one = program::lock_operation(it).kind != program::LockOperation::Kind::kOther ||
                        program::is_ordering_operation(it);
    answer = is_one ? Answer::kYes : Answer::kNo;
  }
  return answer == Answer::kYes;
}

bool LibraryEffects::is_synchronisation(FunctionIndex caller, const Op& op) {
  return op.kind == OpKind::kCall && is_synchronisation_symbol(caller, op.symbol);
}

bool LibraryEffects::is_synchronisation(FunctionIndex function) {
  return is_synchronisation_symbol(function, program_.function(function).symbol);
}

const std::vector<LibraryEffect>& LibraryEffects::of(FunctionIndex function) {
  if (!summaries_.contains(function)) summarise(library_below(function));
  return summaries_.at(function);
}

LibraryEffects::Unknown LibraryEffects::library_below(FunctionIndex function) {
  Unknown found;
  std::unordered_set<FunctionIndex> seen{function};
  std::vector<std::pair<FunctionIndex, bool>> open{{function, false}};
  while (!open.empty()) {
    const auto [f, is_done] = open.back();
    open.pop_back();
    if (is_done) {
      found.functions.push_back(f);
      continue;
    }
    open.push_back({f, true});
    const std::vector<program::Block>& blocks = program_.function(f).blocks;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      for (uint32_t o = 0; o < blocks[b].ops.size(); ++o) {
        const Op& op = blocks[b].ops[o];
        if (op.kind != OpKind::kCall || is_synchronisation(f, op)) continue;
        calls_.for_each_callee({f, b, o}, [&](FunctionIndex callee) {
          if (!is_of_a_library(program_.function(callee)) || summaries_.contains(callee) ||
              is_synchronisation(callee))
            return;
          found.callers[callee].push_back(f);
          if (seen.insert(callee).second) open.push_back({callee, false});
        });
      }
    }
  }
  return found;
}

// Until nothing changes; where there are no cycles, each is passed over once.
void LibraryEffects::summarise(const Unknown& unknown) {
  std::deque<FunctionIndex> open(unknown.functions.begin(), unknown.functions.end());
  std::unordered_set<FunctionIndex> is_open(open.begin(), open.end());
  for (const FunctionIndex f : unknown.functions) {
    summaries_[f].resize(program_.function(f).parameters);
    origins_[f] = Origins(program_.function(f)).take();
  }
  while (!open.empty()) {
    const FunctionIndex f = open.front();
    open.pop_front();
    is_open.erase(f);
    Summary now = pass_over(f);
    if (now == summaries_[f]) continue;
    summaries_[f] = std::move(now);
    const auto callers = unknown.callers.find(f);
    if (callers == unknown.callers.end()) continue;
    for (const FunctionIndex caller : callers->second)
      if (is_open.insert(caller).second) open.push_back(caller);
  }
  origins_.clear();
}

LibraryEffects::Summary LibraryEffects::pass_over(FunctionIndex f) {
  const Function& function = program_.function(f);
  const std::vector<uint64_t>& origins = origins_.at(f);
  Summary summary(function.parameters);
  const auto for_each_origin = [&](ValueId value, const auto& visit) {
    for (uint64_t bits = origins[value]; bits != 0; bits &= bits - 1)
      visit(summary[std::min<size_t>(static_cast<size_t>(std::countr_zero(bits)), summary.size() - 1)]);
  };
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
      const Op& op = function.blocks[b].ops[o];
      const OpId id{f, b, o};
      if (is_synchronisation(f, op)) continue;
      if (escape_.is_shared_access(id)) {
        const bool is_atomic = op.order != MemoryOrder::kPlain && op.order != MemoryOrder::kVolatile;
        const bool writes = op.kind == OpKind::kCall ? may_write(id, op) : op.kind != OpKind::kLoad;
        const auto access = [&](ValueId address, bool is_read, bool is_written) {
          for_each_origin(address, [&](LibraryEffect& effect) {
            if (is_read) effect.read.insert(op.size);
            if (is_written) effect.written.insert(op.size);
            effect.is_atomic &= is_atomic;
          });
        };
        if (op.kind == OpKind::kCopy) {
          access(op.operands[0], false, true);
          access(op.operands[1], true, false);
        } else if (op.kind == OpKind::kCall || op.kind == OpKind::kUnknown) {
          for (const ValueId operand : op.operands) access(operand, true, writes);
        } else {
          access(op.operands[0], op.kind != OpKind::kStore && op.kind != OpKind::kFill, writes);
        }
      }
      if (op.kind != OpKind::kCall) continue;
      calls_.for_each_callee(id, [&](FunctionIndex callee) {
        const auto known = summaries_.find(callee);
        if (known == summaries_.end()) return;
        for (size_t i = 0; i < op.operands.size() && i < known->second.size(); ++i) {
          const LibraryEffect& below = known->second[i];
          if (below.empty()) continue;
          for_each_origin(op.operands[i], [&](LibraryEffect& effect) {
            effect.read.insert(below.read);
            effect.written.insert(below.written);
            effect.is_atomic &= below.is_atomic;
          });
        }
      });
    }
  }
  return summary;
}

// A call that leaves the program. The standard library's own functions that are const read only.
bool LibraryEffects::may_write(const OpId& id, const Op& op) const {
  for (const program::ExternalModel* model : points_to_.known_externals(id))
    if (model->writes_arguments || model->writes_argument >= 0 || model->copies_to >= 0) return true;
  if (!points_to_.calls_unknown(id)) return false;
  const program::Unit& unit = program_.unit_of(id.function);
  return op.symbol == kNone || !unit.symbols[op.symbol].linkage_name.starts_with("_ZNKSt");
}

}  // namespace heddle::select
