#include "program/program.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "support/check.h"

namespace heddle::program {

// Symbols of all units, by their linkage names: an internal one is its unit's alone, since its name is.
struct Program::Index {
  std::vector<std::vector<uint32_t>> global_symbols;      // [unit][symbol]
  std::vector<std::vector<FunctionIndex>> own_functions;  // [unit][symbol]: defined in that unit, or kNone
  std::vector<FunctionIndex> definitions;                 // by global symbol
  std::unordered_map<std::string_view, ClassType> complete_types;
  std::unordered_map<const Unit*, size_t> numbers;  // of units
};

// Made for the first who asks.
struct Program::Finders {
  std::once_flag is_by_name;
  std::unordered_map<std::string, std::vector<FunctionIndex>> by_last_name;
  // By file and then by line: nodes that begin there or reach over it.
  std::once_flag is_by_line;
  std::unordered_map<std::string, std::unordered_map<uint32_t, std::vector<NodeId>>> by_line;
};

namespace {

constexpr int kMaxNames = 8;

// "ns::Queue::push" → "push"; the colons inside an operator's or lambda's name do not occur.
std::string last_name(const std::string& name) {
  const size_t colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

bool holds(const SourceRange& range, uint32_t line, uint32_t column) {
  if (column == 0) return range.first_line <= line && line <= range.last_line;
  const std::pair at{line, column};
  return std::pair{range.first_line, range.first_column} <= at &&
         at <= std::pair{range.last_line, range.last_column};
}

bool is_within(const SourceRange& inner, const SourceRange& outer) {
  return holds(outer, inner.first_line, inner.first_column) &&
         holds(outer, inner.last_line, inner.last_column);
}

// Gives names that stand for others the numbers of those, in all units.
void join_names(const std::vector<std::shared_ptr<const Unit>>& units,
                std::vector<std::vector<uint32_t>>& global_symbols, size_t count) {
  std::vector<uint32_t> meant(count);
  std::iota(meant.begin(), meant.end(), 0u);
  for (size_t u = 0; u < units.size(); ++u)
    for (size_t s = 0; s < units[u]->symbols.size(); ++s)
      if (const uint32_t target = units[u]->symbols[s].stands_for; target != kNone)
        meant[global_symbols[u][s]] = global_symbols[u][target];
  for (std::vector<uint32_t>& ids : global_symbols)
    for (uint32_t& id : ids) {
      // A name may stand for one that stands for a third, but not for itself on the way.
      for (int steps = 0; meant[id] != id && steps < kMaxNames; ++steps) id = meant[id];
    }
}

std::vector<std::shared_ptr<const Unit>> shared(std::vector<Unit> units) {
  std::vector<std::shared_ptr<const Unit>> all;
  for (Unit& unit : units) all.push_back(std::make_shared<const Unit>(std::move(unit)));
  return all;
}

}  // namespace

Program::Program(std::vector<Unit> units) : Program(shared(std::move(units))) {}

Program::Program(std::vector<std::shared_ptr<const Unit>> units)
    : units_(std::move(units)), finders_(std::make_shared<Finders>()) {
  auto index = std::make_shared<Index>();
  std::unordered_map<std::string_view, uint32_t> symbols;
  for (const Unit& unit : this->units()) {
    index->numbers.emplace(&unit, index->numbers.size());
    std::vector<uint32_t>& ids = index->global_symbols.emplace_back();
    ids.reserve(unit.symbols.size());
    for (const Symbol& symbol : unit.symbols)
      ids.push_back(
          symbols.try_emplace(symbol.linkage_name, static_cast<uint32_t>(symbols.size())).first->second);
    index->own_functions.emplace_back(unit.symbols.size(), kNone);
  }
  join_names(units_, index->global_symbols, symbols.size());
  for (const Unit& unit : this->units())
    for (const Type& type : unit.types)
      if (!type.fields.empty()) index->complete_types.try_emplace(type.name, ClassType{&unit, &type});
  index->definitions.assign(symbols.size(), kNone);

  for (size_t u = 0; u < units_.size(); ++u) {
    const Unit& unit = *units_[u];
    for (const Function& function : unit.functions) {
      const uint32_t symbol = function.symbol;
      const auto next = static_cast<FunctionIndex>(functions_.size());
      if (symbol != kNone) {
        FunctionIndex& definition = index->definitions[index->global_symbols[u][symbol]];
        // Units may belong to several executables: of functions that cannot be merged (main), each is kept,
        // and a unit means its own.
        if (definition != kNone && unit.symbols[symbol].is_merged) continue;
        if (definition == kNone) definition = next;
        index->own_functions[u][symbol] = next;
      }
      functions_.push_back({&unit, &function, u});
    }
  }
  index_ = std::move(index);
}

const Function& Program::function(FunctionIndex index) const {
  HEDDLE_CHECK(index < functions_.size());
  return *functions_[index].function;
}

const Unit& Program::unit_of(FunctionIndex index) const {
  HEDDLE_CHECK(index < functions_.size());
  return *functions_[index].unit;
}

size_t Program::number_of(const Unit& unit) const {
  const auto found = index_->numbers.find(&unit);
  HEDDLE_CHECK(found != index_->numbers.end());
  return found->second;
}

uint32_t Program::global_symbol(const Unit& unit, uint32_t symbol) const {
  if (symbol == kNone) return kNone;
  HEDDLE_CHECK(symbol < unit.symbols.size());
  return index_->global_symbols[number_of(unit)][symbol];
}

uint32_t Program::global_symbol(FunctionIndex in, uint32_t symbol) const {
  if (symbol == kNone) return kNone;
  HEDDLE_CHECK(in < functions_.size());
  return index_->global_symbols[functions_[in].unit_number][symbol];
}

const std::vector<uint32_t>& Program::global_symbols(const Unit& unit) const {
  return index_->global_symbols[number_of(unit)];
}

size_t Program::global_count() const {
  return index_->definitions.size();
}

FunctionIndex Program::definition_in(size_t unit_number, uint32_t symbol) const {
  if (symbol == kNone) return kNone;
  HEDDLE_CHECK(symbol < index_->own_functions[unit_number].size());
  const FunctionIndex own = index_->own_functions[unit_number][symbol];
  return own != kNone ? own : index_->definitions[index_->global_symbols[unit_number][symbol]];
}

FunctionIndex Program::definition(const Unit& unit, uint32_t symbol) const {
  return definition_in(number_of(unit), symbol);
}

FunctionIndex Program::definition(FunctionIndex in, uint32_t symbol) const {
  HEDDLE_CHECK(in < functions_.size());
  return definition_in(functions_[in].unit_number, symbol);
}

const std::string& Program::linkage_name(FunctionIndex index) const {
  static const std::string kNothing;
  const uint32_t symbol = function(index).symbol;
  return symbol == kNone ? kNothing : unit_of(index).symbols[symbol].linkage_name;
}

std::vector<FunctionIndex> Program::find(const std::string& name) const {
  std::call_once(finders_->is_by_name, [&] {
    for (FunctionIndex f = 0; f < functions_.size(); ++f)
      finders_->by_last_name[last_name(function(f).name)].push_back(f);
  });
  std::vector<FunctionIndex> found;
  auto candidates = finders_->by_last_name.find(last_name(name));
  if (candidates == finders_->by_last_name.end()) return found;
  for (FunctionIndex f : candidates->second) {
    const std::string& full = function(f).name;
    if (full == name || full.ends_with("::" + name)) found.push_back(f);
  }
  return found;
}

std::vector<NodeId> Program::nodes_at(const std::string& file, uint32_t line, uint32_t column) const {
  std::call_once(finders_->is_by_line, [&] {
    for (FunctionIndex f = 0; f < functions_.size(); ++f) {
      const std::vector<Node>& nodes = function(f).nodes;
      for (uint32_t n = 0; n < nodes.size(); ++n) {
        auto& lines = finders_->by_line[nodes[n].file];
        for (uint32_t at = nodes[n].range.first_line; at <= nodes[n].range.last_line; ++at)
          lines[at].push_back({f, n});
      }
    }
  });
  auto lines = finders_->by_line.find(file);
  if (lines == finders_->by_line.end()) return {};
  auto at_line = lines->second.find(line);
  if (at_line == lines->second.end()) return {};
  std::vector<NodeId> found;
  for (NodeId id : at_line->second) {
    const Node& node = function(id.function).nodes[id.node];
    // A node without a statement is its whole line.
    if (!node.text.empty() && !holds(node.range, line, column)) continue;
    found.push_back(id);
  }
  const auto range_of = [&](NodeId id) -> const SourceRange& {
    return function(id.function).nodes[id.node].range;
  };
  const auto begins_here = [&](NodeId id) { return range_of(id).first_line == line; };
  if (column == 0 && std::ranges::any_of(found, begins_here)) {
    std::vector<NodeId> first;
    for (NodeId id : found) {
      if (begins_here(id) && (first.empty() || first.back().function != id.function)) first.push_back(id);
    }
    return first;
  }
  // Around a lambda's statements lies the one that it is written in.
  std::vector<NodeId> innermost;
  for (NodeId id : found) {
    const auto is_inside = [&](NodeId other) {
      return range_of(other) != range_of(id) && is_within(range_of(other), range_of(id));
    };
    if (std::ranges::none_of(found, is_inside)) innermost.push_back(id);
  }
  return innermost;
}

Program::ClassType Program::complete_type(const Unit& unit, uint32_t type) const {
  const Type& here = unit.types[type];
  const auto found =
      here.fields.empty() ? index_->complete_types.find(here.name) : index_->complete_types.end();
  return found == index_->complete_types.end() ? ClassType{&unit, &here} : found->second;
}

}  // namespace heddle::program
