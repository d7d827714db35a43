// Flow: an interleaving in names, which outlives its trace. Time runs downwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/interleaving.h"
#include "report/source_line.h"
#include "report/story.h"

namespace heddle {

// Statements of one thread that follow each other on one line.
struct FlowStep {
  uint64_t event = 0;  // number of the first event
  SourceLine place;
  std::string operations;   // on what the failure is about: "lock", "read, write"; empty if it touches none
  std::string description;  // the operations in full, for when there is no source
  bool is_key = false;      // the failure cannot be understood without it
};

// A step of one thread, or how many operations each did that are not shown.
struct FlowRow {
  size_t thread = 0;  // of the step: an index into the flow's threads
  FlowStep step;
  std::vector<size_t> skipped;  // by thread; empty: this row is `step`

  bool is_gap() const { return !skipped.empty(); }
};

// A thread of an execution, with what a reader may want to know of it.
struct FlowThread {
  std::string name;   // "main/1"
  std::string label;  // "main/1 (worker)" if the program gave it a name
  bool takes_part = false;
  bool has_end = false;  // the story says where it stands at the end
  SourceLine end;        // its line is 0 if that is not known
  std::string end_note;  // why it does not go on
};

struct Flow {
  std::vector<FlowThread> threads;          // one column each
  std::vector<std::string> hidden_threads;  // labels of those that did something and have no column
  std::vector<FlowRow> rows;
};

Flow make_flow(ReportContext& context, const FailureStory& story, const InterleavingLimits& limits,
               const SourceScope& scope);

// Where a place is, with the text that stands there.
SourceLine source_line(ReportContext& context, const Place& place, const SourceScope& scope);

}  // namespace heddle
