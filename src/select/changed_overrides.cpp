#include "select/changed_overrides.h"

#include <algorithm>
#include <set>

#include "change/statement_index.h"
#include "select/access_paths.h"

namespace heddle::select {

using program::FunctionIndex;

namespace {

using Functions = std::set<FunctionIndex>;

// By class, the project's functions in its tables. Classes of which the program has no table are left out.
std::map<std::string, Functions> tables_of(const program::Program& program) {
  std::map<std::string, Functions> tables;
  for (const program::Unit& unit : program.units()) {
    for (const program::Type& type : unit.types) {
      if (type.name.empty() || type.vtable.empty()) continue;
      Functions& functions = tables[type.name];
      const auto add = [&](uint32_t symbol) {
        const FunctionIndex f = program.definition(unit, symbol);
        if (f != kNone && !is_of_a_library(program.function(f))) functions.insert(f);
      };
      std::ranges::for_each(type.vtable, add);
      for (const program::Type::OtherTable& table : type.other_vtables)
        std::ranges::for_each(table.slots, add);
    }
  }
  return tables;
}

}  // namespace

std::map<FunctionIndex, std::string> changed_overrides(const program::Program& base,
                                                       const program::Program& head,
                                                       const VersionMap& versions) {
  std::map<FunctionIndex, std::string> changed;
  const std::map<std::string, Functions> then = tables_of(base);
  for (const auto& [name, functions] : tables_of(head)) {
    const auto old = then.find(versions.old_name(name));
    if (old == then.end()) continue;
    Functions lost = old->second;
    bool has_more = false;
    for (const FunctionIndex f : functions) {
      const FunctionIndex before = versions.partner(f);
      lost.erase(before);
      has_more |= before != kNone && !old->second.contains(before);
    }
    for (const FunctionIndex f : lost) changed.emplace(f, name);
    if (lost.empty() && has_more)
      for (const FunctionIndex f : base.find(old->first + "::" + split_qualified(old->first).second))
        changed.emplace(f, name);
  }
  return changed;
}

}  // namespace heddle::select
