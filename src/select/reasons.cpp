#include "select/reasons.h"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::select {
namespace {

std::string place(const SharedVariable& variable) {
  return fmt::format("`{}` line {}", variable.function, variable.line);
}

std::string memory(const SharedVariable& variable) {
  return variable.name.empty() ? "memory without a name" : fmt::format("`{}`", variable.name);
}

std::string threads_text(const ChangedProgram& changed, const SharedVariable& variable,
                         const Coverage& coverage, TestIndex test) {
  if (variable.old_block == kNone) return "";
  const std::vector<CoveringTest> covering = coverage.of(changed.old_blocks[variable.old_block]);
  const auto found = std::find_if(covering.begin(), covering.end(),
                                  [&](const CoveringTest& covered) { return covered.test == test; });
  if (found == covering.end() || found->threads->count == 0) return "";
  if (found->threads->count == 1) return fmt::format(" from thread {}", found->threads->names.front());
  return fmt::format(" from {} threads", found->threads->count);
}

const SharedVariable& impacted_side(const ChangedProgram& changed, const ImpactedPair& pair) {
  const SharedVariable& first = changed.variables[pair.first];
  return first.is_impacted() || pair.second == kNone ? first : changed.variables[pair.second];
}

std::string cause_text(const ChangedProgram& changed, const ImpactedPair& pair) {
  const SharedVariable& impacted = impacted_side(changed, pair);
  const std::string cause = impacted.cause == kNone ? "touches it" : changed.causes[impacted.cause];
  if (impacted.rule == Rule::kSynchronisation && pair.second != kNone)
    return fmt::format("this change, at {}, {}", place(impacted), cause);
  return "this change " + cause;
}

}  // namespace

std::string describe_pair(const ChangedProgram& changed, const ImpactedPair& pair) {
  const SharedVariable& first = changed.variables[pair.first];
  if (pair.second == kNone) return fmt::format("{}: {}", place(first), cause_text(changed, pair));
  const SharedVariable& second = changed.variables[pair.second];
  const auto verb = [](const SharedVariable& variable) {
    if (variable.is_acquisition) return "locks";
    return variable.is_write ? "writes" : "reads";
  };
  if (pair.first == pair.second)
    return fmt::format("{} {} {}, perhaps in two threads at once; {}", place(first), verb(first),
                       memory(first), cause_text(changed, pair));
  return fmt::format("{} {} and {} {} {}; {}", place(first), verb(first), place(second), verb(second),
                     memory(impacted_side(changed, pair)), cause_text(changed, pair));
}

std::string describe_covered_pair(const ChangedProgram& changed, const ImpactedPair& pair,
                                  const Coverage& coverage, TestIndex test) {
  const SharedVariable& first = changed.variables[pair.first];
  const std::string from = threads_text(changed, first, coverage, test);
  if (pair.second == kNone)
    return fmt::format("covers {} with {} threads; {}", place(first), coverage.threads_of(test),
                       cause_text(changed, pair));
  const SharedVariable& second = changed.variables[pair.second];
  if (pair.first == pair.second || place(first) == place(second))
    return fmt::format("covers {}{}, which touches {}; {}", place(first), from, memory(first),
                       cause_text(changed, pair));
  return fmt::format("covers {}{} and {}{}; {}; both {} {}", place(first), from, place(second),
                     threads_text(changed, second, coverage, test), cause_text(changed, pair),
                     first.is_acquisition ? "lock" : "touch", memory(impacted_side(changed, pair)));
}

}  // namespace heddle::select
