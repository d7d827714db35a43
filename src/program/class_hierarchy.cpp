#include "program/class_hierarchy.h"

namespace heddle::program {

ClassHierarchy::ClassHierarchy(const Program& program) {
  std::vector<std::pair<uint32_t, uint32_t>> other_slots;
  for (const Unit& unit : program.units()) {
    for (const Type& type : unit.types) {
      if (type.name.empty()) continue;
      Class& it = classes_[type.name];
      if (it.bases.empty()) {
        for (uint32_t base : type.bases) it.bases.push_back(unit.types[base].name);
      }
      for (const Type::OtherTable& table : type.other_vtables) {
        for (uint32_t slot = 0; slot < table.slots.size(); ++slot) {
          if (table.slots[slot] == kNone) continue;
          const uint32_t symbol = program.global_symbol(unit, table.slots[slot]);
          it.others.insert(symbol);
          other_slots.emplace_back(symbol, slot);
        }
      }
      if (it.vtable.empty()) {
        for (uint32_t symbol : type.vtable) it.vtable.push_back(program.global_symbol(unit, symbol));
      }
    }
  }
  for (auto& [name, it] : classes_) {
    for (const std::string& base : it.bases) {
      const auto found = classes_.find(base);
      if (found != classes_.end()) found->second.derived.push_back(name);
    }
    for (uint32_t slot = 0; slot < it.vtable.size(); ++slot) {
      if (it.vtable[slot] != kNone) slots_[it.vtable[slot]].insert(slot);
    }
  }
  for (const auto& [symbol, slot] : other_slots) {
    if (const auto found = slots_.find(symbol); found != slots_.end()) found->second.insert(slot);
  }
}

bool ClassHierarchy::may_be_in_slot(uint32_t symbol, uint32_t slot) const {
  const auto found = slots_.find(symbol);
  return found == slots_.end() || found->second.contains(slot);
}

bool ClassHierarchy::has_as_first_base(const std::string& name, const std::string& base) const {
  std::string at = name;
  for (size_t steps = 0; steps <= classes_.size(); ++steps) {
    if (at == base) return true;
    const auto found = classes_.find(at);
    if (found == classes_.end() || found->second.bases.empty()) return false;
    at = found->second.bases[0];
  }
  return false;
}

const std::set<uint32_t>& ClassHierarchy::candidates(const std::string& class_name, uint32_t slot) {
  const auto [entry, is_new] = candidates_.try_emplace({class_name, slot});
  std::set<uint32_t>& result = entry->second;
  if (!is_new) return result;
  std::set<std::string> seen{class_name};
  std::vector<std::string> open{class_name};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    const auto found = classes_.find(name);
    if (found == classes_.end()) continue;
    const Class& it = found->second;
    if (has_as_first_base(name, class_name)) {
      if (slot < it.vtable.size() && it.vtable[slot] != kNone) result.insert(it.vtable[slot]);
    } else {
      // Its own table has other slots than the base's: which one it is, is not known.
      for (uint32_t symbol : it.vtable) {
        if (symbol != kNone) result.insert(symbol);
      }
      result.insert(it.others.begin(), it.others.end());
    }
    for (const std::string& derived : it.derived) {
      if (seen.insert(derived).second) open.push_back(derived);
    }
  }
  return result;
}

}  // namespace heddle::program
