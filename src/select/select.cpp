#include "select/select.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "program/analyses.h"
#include "select/coverage.h"
#include "select/effects.h"
#include "select/held_locks.h"
#include "select/impact.h"
#include "select/locator.h"
#include "select/matcher.h"
#include "select/nearest.h"
#include "select/order.h"
#include "select/reasons.h"
#include "select/selector.h"
#include "select/unanalysed.h"

namespace heddle::select {
namespace {

ChangedProgram analyse(const SelectInput& input, const SelectOptions& options) {
  const AnalysedProgram head(input.head);
  const program::Escape escape(input.head, head.points_to);
  Effects effects(head, escape);
  ChangedProgram changed = analyse_impact(input.base, head, input.change, locate(head, effects),
                                          {.slices = options.slices, .assumed = input.assumed});
  note_held_locks(head, changed.variables);
  return changed;
}

bool is_run_otherwise(const SelectInput& input, const TestRecord& record) {
  const auto command = input.commands.find(record.key.test);
  return command != input.commands.end() && command->second != record.key.command;
}

Suite sort_by_history(const SelectInput& input) {
  std::map<std::string, const KnownTest*> records;
  for (const KnownTest& test : input.history) records[test.record.key.test] = &test;
  Suite suite;
  for (const std::string& name : input.tests) {
    const auto found = records.find(name);
    if (found == records.end()) {
      suite.unknown.emplace_back(name, "it has no history: what it does is not known");
    } else if (!found->second->is_of_tree) {
      suite.unknown.emplace_back(name, "it has not been recorded on the base");
    } else if (is_run_otherwise(input, found->second->record)) {
      suite.unknown.emplace_back(name, "it is run with other arguments or settings than on the base");
    } else if (!found->second->record.complete) {
      suite.unknown.emplace_back(name, fmt::format("its execution on the base was not seen to the end ({})",
                                                   found->second->record.outcome));
    } else {
      suite.coverage.add(static_cast<TestIndex>(suite.known.size()), found->second->record);
      suite.known.push_back(name);
    }
  }
  suite.coverage.finish();
  return suite;
}

// A file that tests may read: those that are not selected for another reason are for this one.
void assume_all(const std::string& file, const PairCoverage& covered, Suite& suite) {
  for (TestIndex test = 0; test < suite.known.size(); ++test)
    if (covered.pairs_of[test].empty())
      suite.assumed.emplace_back(test, fmt::format("{} has changed, and who reads it is not known", file));
}

}  // namespace

Selection select_tests(const SelectInput& input, const SelectOptions& options) {
  ChangedProgram changed = analyse(input, options);
  const size_t unanalysed = add_unanalysed_changes(input.base.program, input.head, input.change, changed);
  add_seen_accesses(input.history, changed);
  std::vector<ImpactedPair> pairs = match(changed.variables);
  for (const uint32_t ordering : changed.orderings) pairs.push_back({ordering, kNone});
  Suite suite = sort_by_history(input);
  const PairCoverage covered = cover_pairs(changed.variables, changed.old_blocks, pairs, suite.coverage,
                                           {.by_thread = options.by_thread});
  for (const NearTest& near : nearest_tests(changed, pairs, covered, suite.coverage))
    suite.near.emplace_back(near.test, fmt::format("comes near to what no test is known to execute: {}",
                                                   describe_pair(changed, pairs[near.pair])));
  Selection selection;
  if (!input.unknown_inputs.empty()) assume_all(input.unknown_inputs.front(), covered, suite);
  selection.tests = order_tests(changed, pairs, covered, suite, options.seed);
  selection.selected =
      static_cast<size_t>(std::count_if(selection.tests.begin(), selection.tests.end(),
                                        [](const RankedTest& test) { return test.is_selected(); }));
  std::set<std::string> told;  // several accesses of a statement are one to a reader
  for (const uint32_t pair : covered.uncovered) {
    if (!pairs[pair].is_sure || !is_direct(changed, pairs[pair])) continue;
    const std::string words = describe_pair(changed, pairs[pair]);
    if (told.insert(words).second) selection.uncovered.push_back(words);
    for (const uint32_t side : {pairs[pair].first, pairs[pair].second})
      if (side != kNone) selection.uncovered_functions.insert(changed.variables[side].function);
  }
  for (const auto& [file, why] : input.assumed)
    selection.assumptions.push_back(fmt::format("{}: {}; all of it counts as changed", file, why));
  if (unanalysed != 0)
    selection.assumptions.push_back(fmt::format(
        "{} lies in code that could not be compiled for analysis: every test that "
        "reaches it with threads is selected",
        unanalysed == 1 ? "1 changed statement" : fmt::format("{} changed statements", unanalysed)));
  for (const std::string& file : input.unknown_inputs)
    selection.assumptions.push_back(fmt::format("{} has changed, and who reads it is not known", file));
  selection.shared_variables = changed.variables.size();
  selection.impacted_variables = static_cast<size_t>(
      std::count_if(changed.variables.begin(), changed.variables.end(),
                    [](const SharedVariable& variable) { return variable.is_impacted(); }));
  selection.pairs = pairs.size();
  return selection;
}

}  // namespace heddle::select
