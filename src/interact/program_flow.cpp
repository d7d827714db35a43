#include "interact/program_flow.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "interact/flow_marks.h"
#include "interact/output_calls.h"

namespace heddle::interact {
namespace {

using program::FunctionIndex;
using program::Op;
using program::OpId;
using program::OpKind;

bool is_initialiser(std::string_view linkage_name) {
  return linkage_name.find("_GLOBAL__sub_I_") != std::string_view::npos;
}
bool registers_for_exit(std::string_view name) {
  return name == "atexit" || name == "__cxa_atexit" || name == "on_exit" || name == "at_quick_exit";
}
bool exits(std::string_view name) {
  return name == "exit" || name == "quick_exit";
}
bool is_failed_assertion(std::string_view name) {
  return name == "__assert_fail" || name == "__assert_perror_fail" || name == "__assert";
}
// libstdc++'s __throw_out_of_range and its like.
bool is_thrower(std::string_view name) {
  return name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos;
}

// Whether an operation is a step of its statement.
bool is_step(const Op& op) {
  switch (op.kind) {
    case OpKind::kConstant:
    case OpKind::kSymbol:
    case OpKind::kLocal:
      return false;
    case OpKind::kBranch:
      return !op.operands.empty();
    default:
      return true;
  }
}

class FlowBuilder {
 public:
  FlowBuilder(const program::Program& program, const program::PointsTo& points_to,
              const ProgramStatements& statements)
      : program_(program), points_to_(points_to), statements_(statements), outputs_(program, points_to) {}

  ProgramFlow build(const std::vector<FunctionIndex>& entries) {
    result_.flow.statements = statements_.size();
    find_exit_handlers();
    for (FunctionIndex f = 0; f < program_.size(); ++f) add_function(f);
    add_root(entries);
    spread_throws(result_.flow);
    return std::move(result_);
  }

 private:
  void find_exit_handlers() {
    std::set<FunctionIndex> handlers;
    for (const program::CallGraph::Site& site : points_to_.call_graph()->sites())
      if (registers_for_exit(external_name(site.call)))
        handlers.insert(site.callees.begin(), site.callees.end());
    exit_handlers_.assign(handlers.begin(), handlers.end());
  }

  // Of the function that is called directly, if the program does not define it.
  std::string_view external_name(const OpId& id) const {
    const Op& op = program_.function(id.function).blocks[id.block].ops[id.op];
    const program::Unit& unit = program_.unit_of(id.function);
    if (op.kind != OpKind::kCall || op.symbol == kNone) return {};
    if (program_.definition(unit, op.symbol) != kNone) return {};
    return unit.symbols[op.symbol].linkage_name;
  }

  void add_function(FunctionIndex f) {
    const program::Function& function = program_.function(f);
    const auto first = static_cast<PointIndex>(points().size());
    result_.flow.entries.push_back(first);
    result_.names.push_back(program_.linkage_name(f));
    std::vector<std::pair<PointIndex, PointIndex>> blocks;  // their first and last points
    for (uint32_t b = 0; b < function.blocks.size(); ++b) blocks.push_back(add_block({f, b, 0}));
    if (blocks.empty()) points()[add_point({f, kNone, kNone}, kNone)].returns = true;  // not known
    for (uint32_t b = 0; b < blocks.size(); ++b)
      add_edges(points()[blocks[b].second], function.blocks[b], blocks);
    std::vector<PointIndex>& begins = result_.blocks.emplace_back();
    for (const auto& block : blocks) begins.push_back(block.first);
    mark_starts_and_ends(result_.flow, first);
    mark_assertions(first);
    if (program_.linkage_name(f) == "main") end_program_in(first);
  }

  void add_edges(Point& last, const program::Block& block,
                 const std::vector<std::pair<PointIndex, PointIndex>>& blocks) {
    for (const program::Edge& edge : block.edges) {
      if (edge.to >= blocks.size()) continue;
      std::vector<PointIndex>& to = edge.exceptional ? last.landings : last.next;
      const PointIndex target = blocks[edge.to].first;
      if (std::find(to.begin(), to.end(), target) == to.end()) to.push_back(target);
    }
    if (!last.landings.empty()) last.throws = false;
  }

  // Operations of one statement are at one point, up to one that leads elsewhere.
  std::pair<PointIndex, PointIndex> add_block(OpId id) {
    const std::vector<Op>& ops = program_.function(id.function).blocks[id.block].ops;
    PointIndex first = kNone;
    PointIndex last = kNone;
    bool is_closed = true;
    const auto go_to = [&](PointIndex point) {
      if (last != kNone) points()[last].next.push_back(point);
      if (first == kNone) first = point;
      last = point;
    };
    for (; id.op < ops.size(); ++id.op) {
      const StatementIndex statement = statements_.of({id.function, ops[id.op].node});
      const bool leads = leads_elsewhere(id);
      if (!is_step(ops[id.op]) || (statement == kNone && !leads)) continue;
      if (is_closed || points()[last].statement != statement) go_to(add_point(id, statement));
      is_closed = leads;
      if (leads) add_effects(points()[last], id);
      if (is_failed_assertion(external_name(id))) failed_assertions_.insert(last);
      if (exits(external_name(id)) && !exit_handlers_.empty()) go_to(end_after(last));
    }
    if (first == kNone) go_to(add_point({id.function, id.block, 0}, kNone));
    return {first, last};
  }

  bool leads_elsewhere(const OpId& id) const {
    const Op& op = program_.function(id.function).blocks[id.block].ops[id.op];
    return op.kind == OpKind::kReturn || op.kind == OpKind::kThrow || !points_to_.callees(id).empty() ||
           outputs_.is_output(id) || is_thrower(external_name(id)) || starts_thread(id);
  }
  bool starts_thread(const OpId& id) const {
    const std::vector<program::ThreadStart>& starts = points_to_.thread_starts();
    return std::any_of(starts.begin(), starts.end(), [&](const auto& start) { return start.call == id; });
  }

  void add_effects(Point& point, const OpId& id) {
    const OpKind kind = program_.function(id.function).blocks[id.block].ops[id.op].kind;
    point.is_output = outputs_.is_output(id);
    point.returns = kind == OpKind::kReturn;
    point.throws = kind == OpKind::kThrow || is_thrower(external_name(id));
    if (!registers_for_exit(external_name(id))) point.calls = points_to_.callees(id);
    for (const program::ThreadStart& start : points_to_.thread_starts())
      if (start.call == id && start.entry != kNone) point.calls.push_back(start.entry);
    point.may_skip_calls = !points_to_.known_externals(id).empty() || points_to_.calls_unknown(id);
  }

  // What was registered is executed at `at`; then the program has ended.
  PointIndex end_after(PointIndex at) {
    const PointIndex end = add_point(result_.operations[at], points()[at].statement);
    points()[at].is_output = false;
    points()[at].calls = exit_handlers_;
    points()[end].is_output = true;
    return end;
  }

  // An assertion is an output whether or not it fails: it is reached where it is decided.
  void mark_assertions(PointIndex first) {
    for (PointIndex p = first; p < points().size(); ++p)
      for (const PointIndex next : points()[p].next)
        if (failed_assertions_.contains(next) && points()[next].statement == points()[p].statement)
          points()[p].is_output = true;
  }

  void end_program_in(PointIndex first) {
    const auto end = static_cast<PointIndex>(points().size());
    std::vector<PointIndex> returning;
    for (PointIndex p = first; p < end; ++p)
      if (points()[p].returns) returning.push_back(p);
    for (const PointIndex p : returning) {
      if (exit_handlers_.empty()) {
        mark_returned(p, first);
        continue;
      }
      const PointIndex last = end_after(p);
      points()[p].returns = false;
      points()[p].next = {last};
      points()[last].returns = true;
    }
  }

  // What main() returns is an output: of the return statements before, and of the end if it is come to
  // otherwise.
  void mark_returned(PointIndex end, PointIndex first) {
    bool is_behind_returns = false;
    bool is_behind_others = false;
    for (PointIndex p = first; p < points().size(); ++p) {
      Point& point = points()[p];
      if (std::find(point.next.begin(), point.next.end(), end) == point.next.end()) continue;
      const bool is_return = point.statement != kNone && point.is_end && point.next.size() == 1 &&
                             statements_[point.statement].text.starts_with("return");
      point.is_output |= is_return;
      (is_return ? is_behind_returns : is_behind_others) = true;
    }
    points()[end].is_output = points()[end].statement != kNone && (is_behind_others || !is_behind_returns);
  }

  void add_root(const std::vector<FunctionIndex>& entries) {
    result_.flow.root = static_cast<ProcedureIndex>(result_.flow.entries.size());
    result_.names.emplace_back();
    const OpId nowhere{result_.flow.root, kNone, kNone};
    result_.flow.entries.push_back(static_cast<PointIndex>(points().size()));
    for (FunctionIndex f = 0; f < program_.size(); ++f) {
      if (!is_initialiser(program_.linkage_name(f))) continue;
      const PointIndex initialise = add_point(nowhere, kNone);
      points()[initialise].calls = {f};
      points()[initialise].next = {initialise + 1};
    }
    const PointIndex enter = add_point(nowhere, kNone);
    points()[enter].calls = entries;
    points()[enter].returns = true;
  }

  PointIndex add_point(const OpId& at, StatementIndex statement) {
    Point point;
    point.procedure = at.function;
    point.statement = statement;
    points().push_back(std::move(point));
    result_.operations.push_back(at);
    return static_cast<PointIndex>(points().size() - 1);
  }
  std::vector<Point>& points() { return result_.flow.points; }

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const ProgramStatements& statements_;
  const OutputCalls outputs_;
  std::vector<FunctionIndex> exit_handlers_;
  std::set<PointIndex> failed_assertions_;
  ProgramFlow result_;
};

}  // namespace

ProgramFlow make_flow(const program::Program& program, const program::PointsTo& points_to,
                      const ProgramStatements& statements, const std::vector<FunctionIndex>& entries) {
  return FlowBuilder(program, points_to, statements).build(entries);
}

}  // namespace heddle::interact
