#include "select/locator.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "select/access_paths.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::Op;
using program::OpKind;
using program::ValueId;

namespace {

// "Cache<int>::Cache" → {"Cache", "Cache"}: a constructor; with a tilde, a destructor.
std::pair<std::string, std::string> last_two_names(const std::string& qualified) {
  std::vector<std::string> names(1);
  int depth = 0;
  for (size_t i = 0; i < qualified.size(); ++i) {
    const char c = qualified[i];
    if (c == '<') ++depth;
    if (c == ':' && depth == 0) {
      if (!names.back().empty()) names.emplace_back();
    } else if (depth == 0) {
      names.back() += c;
    }
    if (c == '>') --depth;
  }
  if (names.size() < 2) return {"", names.back()};
  return {names[names.size() - 2], names.back()};
}

bool is_constructor(const Function& function) {
  const auto [scope, name] = last_two_names(function.name);
  return !scope.empty() && scope == name;
}

// Functions that, or whose callees, start threads.
std::vector<bool> starts_threads(const program::Program& program, const program::PointsTo& points_to) {
  std::vector<bool> starts(program.size());
  std::vector<FunctionIndex> open;
  for (const program::ThreadStart& start : points_to.thread_starts()) open.push_back(start.call.function);
  while (!open.empty()) {
    const FunctionIndex f = open.back();
    open.pop_back();
    if (starts[f]) continue;
    starts[f] = true;
    for (const program::OpId& call : points_to.callers(f)) open.push_back(call.function);
  }
  return starts;
}

class Locator {
 public:
  Locator(const program::Program& program, const program::PointsTo& points_to, Effects& effects)
      : program_(program), effects_(effects), starts_threads_(starts_threads(program, points_to)) {}

  std::vector<SharedVariable> run() {
    for (FunctionIndex f = 0; f < program_.size(); ++f)
      if (!is_of_a_library(program_.function(f))) find_in(f);
    for (SharedVariable& variable : found_) {
      std::sort(variable.locations.begin(), variable.locations.end());
      variable.locations.erase(std::unique(variable.locations.begin(), variable.locations.end()),
                               variable.locations.end());
    }
    return std::move(found_);
  }

 private:
  void find_in(FunctionIndex f) {
    const Function& function = program_.function(f);
    const AccessPaths paths(program_, f);
    const bool constructs = is_constructor(function) && !starts_threads_[f];
    std::map<std::tuple<uint32_t, std::string, bool, bool>, size_t> known;  // node, name, write, atomic
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
        const Op& op = function.blocks[b].ops[o];
        if (op.node == kNone || op.operands.empty()) continue;
        for (const Effect& effect : effects_.of({f, b, o}, op, paths)) {
          // Of a copy, the source is the second operand.
          const ValueId operand = op.operands[op.kind == OpKind::kCopy && !effect.is_write ? 1 : 0];
          const std::string name = name_of(paths.of(operand), op, effect);
          const auto [entry, is_new] =
              known.try_emplace({op.node, name, effect.is_write, effect.is_atomic}, found_.size());
          if (is_new) {
            const program::Node& node = function.nodes[op.node];
            SharedVariable variable;
            variable.function = function.name;
            variable.name = name;
            variable.file = node.file;
            variable.line = node.range.first_line;
            variable.is_write = effect.is_write;
            variable.is_atomic = effect.is_atomic;
            variable.is_own_construction = constructs && paths.is_in_this(operand);
            variable.node = {f, op.node};
            found_.push_back(std::move(variable));
          }
          found_[entry->second].locations.push_back(
              {number(effect.leaf), number(effect.root), effect.is_own});
        }
      }
    }
  }

  // What the program says, rather than the library's inside. A call may touch each of its arguments.
  static std::string name_of(const Path& path, const Op& op, const Effect& effect) {
    if (op.kind == OpKind::kCall) {
      std::string place = effect.is_own && !effect.leaf.empty() ? effect.leaf : effect.root;
      if (place.ends_with("[]")) place.resize(place.size() - 2);
      if (!place.empty()) return short_name(place);
    } else if (path.is_known()) {
      return short_name(path.text());
    }
    return effect.leaf.starts_with("[]") ? "memory" : short_name(effect.leaf);
  }

  uint32_t number(const std::string& name) {
    if (name.empty()) return 0;
    return numbers_.try_emplace(name, static_cast<uint32_t>(numbers_.size()) + 1).first->second;
  }

  const program::Program& program_;
  Effects& effects_;
  const std::vector<bool> starts_threads_;
  std::vector<SharedVariable> found_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace

std::vector<SharedVariable> locate(const AnalysedProgram& program, Effects& effects) {
  return Locator(program.program, program.points_to, effects).run();
}

}  // namespace heddle::select
