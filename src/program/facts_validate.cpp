#include "program/facts_validate.h"

#include <algorithm>

namespace heddle::program {
namespace {

bool within(uint32_t index, size_t size) {
  return index == kNone || index < size;
}

bool all_within(const std::vector<uint32_t>& indices, size_t size) {
  return std::ranges::all_of(indices, [&](uint32_t index) { return within(index, size); });
}

bool is_valid(const Type& type, const Unit& unit) {
  return all_within(type.bases, unit.types.size()) && all_within(type.vtable, unit.symbols.size()) &&
         std::ranges::all_of(type.fields,
                             [&](const Field& f) { return within(f.type, unit.types.size()); }) &&
         std::ranges::all_of(type.other_vtables, [&](const Type::OtherTable& table) {
           return all_within(table.slots, unit.symbols.size());
         });
}

bool is_valid(const Op& op, const Function& function, const Unit& unit) {
  return within(op.node, function.nodes.size()) && within(op.result, function.values) &&
         all_within(op.operands, function.values) && within(op.callee, function.values) &&
         within(op.symbol, unit.symbols.size()) && within(op.type, unit.types.size());
}

bool is_valid(const Function& function, const Unit& unit) {
  if (!within(function.symbol, unit.symbols.size()) || function.parameters > function.values) return false;
  if (function.blocks.empty() && function.degraded.empty()) return false;
  return std::ranges::all_of(function.blocks, [&](const Block& block) {
    return std::ranges::all_of(block.ops, [&](const Op& op) { return is_valid(op, function, unit); }) &&
           std::ranges::all_of(block.edges, [&](const Edge& e) { return e.to < function.blocks.size(); });
  });
}

}  // namespace

bool has_valid_indices(const Unit& unit) {
  return std::ranges::all_of(unit.symbols,
                             [&](const Symbol& symbol) {
                               return within(symbol.type, unit.types.size()) &&
                                      within(symbol.stands_for, unit.symbols.size()) &&
                                      all_within(symbol.initial_pointers, unit.symbols.size());
                             }) &&
         std::ranges::all_of(unit.types, [&](const Type& type) { return is_valid(type, unit); }) &&
         std::ranges::all_of(unit.functions, [&](const Function& f) { return is_valid(f, unit); });
}

}  // namespace heddle::program
