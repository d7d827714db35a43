// Select: which tests matter for a change, and in which order (SimRT; ALGORITHMS section 4).
//
//   SVLocator ─▶ ImpAnalyzer ─▶ Matcher ─▶ Selector ─▶ Ranker
//   locator.h    impact.h       matcher.h  selector.h  ranker.h
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "change/source_change.h"
#include "history/test_records.h"
#include "program/program.h"
#include "select/analysed_program.h"
#include "select/order.h"

namespace heddle::select {

struct SelectOptions {
  uint64_t seed = 1;
  bool by_thread = true;  // false: the paper's ablation
  bool slices = true;     // rule 5
};

struct SelectInput {
  const ProgramStructure& base;
  const program::Program& head;
  const SourceChange& change;
  const std::vector<KnownTest>& history;  // what tests have done
  std::vector<std::string> tests;         // of the head
  // How they are run (TestKey::command): one that is run otherwise than when it was recorded does something
  // else. Those that are not in it are run as before.
  std::map<std::string, uint64_t> commands;
  // Files whose meaning has changed in a way that is not in their text, such as other compiler flags, and
  // how.
  std::map<std::string, std::string> assumed;
  std::vector<std::string> unknown_inputs;  // files that have changed and that tests may read
};

struct Selection {
  std::vector<RankedTest> tests;  // all, in order: the selected ones first
  size_t selected = 0;
  std::vector<std::string> uncovered;         // pairs that no test covers, in words
  std::set<std::string> uncovered_functions;  // that these are in
  std::vector<std::string> assumptions;       // what could not be analysed, and what was assumed instead
  size_t shared_variables = 0;
  size_t impacted_variables = 0;
  size_t pairs = 0;
};

Selection select_tests(const SelectInput& input, const SelectOptions& options = {});

}  // namespace heddle::select
