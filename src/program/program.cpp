#include "program/program.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "support/check.h"

namespace heddle::program {

struct Program::Index {
  std::unordered_map<std::string, uint32_t> global_symbols;  // by linkage name
  std::vector<std::vector<uint32_t>> symbols;                // of each unit: its symbols' global ones
  std::vector<FunctionIndex> definitions;                    // by global symbol
  std::unordered_map<const Unit*, uint32_t> units;
};

Program::Program(std::vector<Unit> units) : units_(std::move(units)) {
  auto index = std::make_shared<Index>();
  index->symbols.resize(units_.size());
  for (uint32_t u = 0; u < units_.size(); ++u) {
    for (const Symbol& symbol : units_[u].symbols) {
      const uint32_t next = static_cast<uint32_t>(index->global_symbols.size());
      index->symbols[u].push_back(index->global_symbols.emplace(symbol.linkage_name, next).first->second);
    }
  }
  index->definitions.assign(index->global_symbols.size(), kNone);
  for (uint32_t u = 0; u < units_.size(); ++u) {
    for (uint32_t f = 0; f < units_[u].functions.size(); ++f) {
      const uint32_t symbol = units_[u].functions[f].symbol;
      if (symbol != kNone) {
        FunctionIndex& definition = index->definitions[index->symbols[u][symbol]];
        if (definition != kNone) continue;  // one of several equal ones is enough
        definition = static_cast<FunctionIndex>(functions_.size());
      }
      functions_.push_back({u, f});
    }
  }
  index_ = std::move(index);
}

const Function& Program::function(FunctionIndex index) const {
  HEDDLE_CHECK(index < functions_.size());
  return units_[functions_[index].unit].functions[functions_[index].function];
}

const Unit& Program::unit_of(FunctionIndex index) const {
  HEDDLE_CHECK(index < functions_.size());
  return units_[functions_[index].unit];
}

uint32_t Program::global_symbol(const Unit& unit, uint32_t symbol) const {
  if (symbol == kNone) return kNone;
  const size_t u = static_cast<size_t>(&unit - units_.data());
  HEDDLE_CHECK(u < units_.size() && symbol < index_->symbols[u].size());
  return index_->symbols[u][symbol];
}

FunctionIndex Program::definition(const Unit& unit, uint32_t symbol) const {
  const uint32_t global = global_symbol(unit, symbol);
  return global == kNone ? kNone : index_->definitions[global];
}

std::vector<FunctionIndex> Program::find(const std::string& name) const {
  std::vector<FunctionIndex> found;
  for (FunctionIndex f = 0; f < size(); ++f) {
    const std::string_view full = function(f).name;
    if (full == name || (full.size() > name.size() + 2 && full.ends_with(name) &&
                         full.substr(full.size() - name.size() - 2, 2) == "::")) {
      found.push_back(f);
    }
  }
  return found;
}

std::vector<NodeId> Program::nodes_at(const std::string& file, uint32_t line, uint32_t column) const {
  std::vector<NodeId> found;
  for (FunctionIndex f = 0; f < size(); ++f) {
    const std::vector<Node>& nodes = function(f).nodes;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      const SourceRange& range = nodes[n].range;
      if (nodes[n].file != file || line < range.first_line || line > range.last_line) continue;
      if (column != 0 && line == range.first_line && column < range.first_column) continue;
      if (column != 0 && line == range.last_line && column > range.last_column) continue;
      found.push_back({f, n});
    }
  }
  return found;
}

}  // namespace heddle::program
