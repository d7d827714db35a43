#include "check/stages/compared_tests.h"

namespace heddle {

std::string why_not_compared(const CheckState& state) {
  if (!state.has_base()) return "the base does not build";
  if (state.result.base_build.revision.content == state.result.head_build.revision.content)
    return "both revisions are the same";
  if (state.result.selection.is_empty_change) return "nothing that is compiled means anything else";
  if (tests_that_matter(state).empty()) return "the threads of no test meet what the change touches";
  return {};
}

std::vector<const Comparison::Chosen*> tests_that_matter(const CheckState& state) {
  std::vector<const Comparison::Chosen*> tests;
  for (const Comparison::Chosen& chosen : state.tests)
    if (!chosen.is_plain) tests.push_back(&chosen);
  return tests;
}

Expected<const ChangeImpact*> CheckState::change_impact() {
  if (!change) {
    Expected<ChangeImpact> prepared = ChangeImpact::prepare(
        repository, project, {result.base, result.head},
        {.store = options.store, .compilers = options.compilers, .step = listener.build});
    if (!prepared) return tl::unexpected(prepared.error());
    change = std::move(*prepared);
  }
  return &*change;
}

}  // namespace heddle
