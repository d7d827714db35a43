#include "select/locator.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "select/variable_names.h"

namespace heddle::select {

using program::Function;
using program::FunctionIndex;
using program::ObjectId;
using program::Op;
using program::OpKind;
using program::Pointee;

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
      : program_(program),
        points_to_(points_to),
        effects_(effects),
        starts_threads_(starts_threads(program, points_to)) {}

  std::vector<SharedVariable> run() {
    for (FunctionIndex f = 0; f < program_.size(); ++f)
      if (!is_of_a_library(program_.function(f))) find_in(f);
    name_locations();
    return std::move(found_);
  }

 private:
  void find_in(FunctionIndex f) {
    const Function& function = program_.function(f);
    const VariableNames names(program_, f);
    const bool constructs = is_constructor(function) && !starts_threads_[f];
    std::map<std::tuple<uint32_t, std::string, bool, bool>, size_t> known;  // node, name, write, atomic
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
        const Op& op = function.blocks[b].ops[o];
        if (op.node == program::kNone || op.operands.empty()) continue;
        for (const Effect& effect : effects_.of({f, b, o}, op)) {
          // Of a copy, the source is the second operand.
          const size_t operand = op.kind == OpKind::kCopy && !effect.is_write ? 1 : 0;
          const std::string name = names.name_of(op.operands[operand]);
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
            variable.is_own_construction = constructs && names.is_in_this(op.operands[operand]);
            variable.node = {f, op.node};
            found_.push_back(std::move(variable));
            memory_.emplace_back();
          }
          memory_[entry->second].insert(effect);
        }
      }
    }
  }

  static bool covers(const Effect& effect, int64_t offset) {
    if (effect.memory.offset == program::kAnyOffset) return true;
    if (offset < effect.memory.offset) return false;
    return static_cast<uint64_t>(offset - effect.memory.offset) < std::max<uint64_t>(effect.size, 1);
  }

  // A number for each field that somebody accesses; one who accesses any of an object, or several at once,
  // gets the numbers of all of them. Where nothing is known of the memory, variables of one name are one.
  void name_locations() {
    std::map<ObjectId, std::map<int64_t, LocationId>> offsets;
    LocationId next = 0;
    for (const std::set<Effect>& memory : memory_)
      for (const Effect& effect : memory) offsets[effect.memory.object].try_emplace(effect.memory.offset, 0);
    for (auto& [object, fields] : offsets)
      for (auto& [offset, location] : fields) location = next++;
    for (size_t i = 0; i < found_.size(); ++i) {
      std::set<LocationId> locations;
      for (const Effect& effect : memory_[i]) {
        const ObjectId object = effect.memory.object;
        if (object == program::kUnknownObject) continue;
        for (const auto& [offset, location] : offsets[object])
          if (covers(effect, offset)) locations.insert(location);
      }
      found_[i].locations.assign(locations.begin(), locations.end());
    }
    std::map<std::string, LocationId> names;
    for (const SharedVariable& variable : found_)
      if (variable.locations.empty()) names.try_emplace(variable.name, next + names.size());
    for (SharedVariable& variable : found_)
      if (const auto named = names.find(variable.name); named != names.end())
        variable.locations.push_back(named->second);
  }

  const program::Program& program_;
  const program::PointsTo& points_to_;
  Effects& effects_;
  const std::vector<bool> starts_threads_;
  std::vector<SharedVariable> found_;
  std::vector<std::set<Effect>> memory_;  // of each
};

}  // namespace

std::vector<SharedVariable> locate(const program::Program& program, const program::PointsTo& points_to,
                                   Effects& effects) {
  return Locator(program, points_to, effects).run();
}

}  // namespace heddle::select
