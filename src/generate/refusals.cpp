#include "generate/refusals.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::generate {

void refuse_dependents(const OperationTable& table, Refusals* refusals) {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::set<uint32_t> given;
    for (const Operation& operation : table.operations) {
      if (!operation.is_constructor && !refusals->contains(static_cast<uint32_t>(operation.id)))
        given.insert(operation.callable);
    }
    for (const Operation& operation : table.operations) {
      const bool lacks = !std::all_of(operation.needs.begin(), operation.needs.end(),
                                      [&](uint32_t method) { return given.contains(method); });
      if (!lacks) continue;
      const bool is_new = refusals
                              ->emplace(static_cast<uint32_t>(operation.id),
                                        "it takes the result of a call that does not compile")
                              .second;
      goes_on = goes_on || is_new;
    }
  }
}

OperationTable without(const OperationTable& table, const Refusals& refusals) {
  OperationTable rest = table;
  rest.operations.clear();
  rest.constructors = 0;
  for (const Operation& operation : table.operations) {
    if (refusals.contains(static_cast<uint32_t>(operation.id))) continue;
    rest.operations.push_back(operation);
    rest.operations.back().id = OperationId{static_cast<uint32_t>(rest.operations.size() - 1)};
    if (operation.is_constructor) ++rest.constructors;
  }
  return rest;
}

std::vector<Unusable> describe(const OperationTable& table, const Refusals& refusals) {
  std::vector<Unusable> descriptions;
  std::set<std::pair<bool, uint32_t>> named;
  for (const auto& [index, reason] : refusals) {
    const Operation& operation = table.operations[index];
    if (!named.emplace(operation.is_constructor, operation.callable).second) continue;
    descriptions.push_back(
        {.signature = operation.label, .reason = fmt::format("it does not compile: {}", reason), .help = ""});
  }
  return descriptions;
}

}  // namespace heddle::generate
