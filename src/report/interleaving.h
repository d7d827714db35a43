// Interleaving: the part of an execution that shows how a failure came about, as steps of source lines.
//
// A step is one stretch of events of one thread on one source line. Of all the steps, those are kept that a
// reader needs: the operations on the objects of the failure, what surrounds the switches between threads,
// and where every thread stands at the end. What lies between them is counted, not shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/report_context.h"
#include "report/story.h"

namespace heddle {

struct InterleavingStep {
  uint64_t event = 0;  // number of the step's first event
  uint32_t thread = 0;
  Place place;
  size_t events = 0;
  std::string operations;   // on the objects of the failure: "lock", "read, write"; empty if it touches none
  std::string description;  // the operation in full, for when there is no source: "lock account_lock"
};

// Steps that are shown, or a gap: how many operations each of the shown threads did meanwhile.
struct InterleavingRow {
  struct Skipped {
    uint32_t thread = 0;
    size_t events = 0;
  };

  InterleavingStep step;
  std::vector<Skipped> gap;  // empty: this row is `step`

  bool is_gap() const { return !gap.empty(); }
};

struct Interleaving {
  std::vector<uint32_t> threads;         // one column each
  std::vector<uint32_t> hidden_threads;  // did something in the part shown, but have no column
  std::vector<InterleavingRow> rows;     // in order of time
};

struct InterleavingLimits {
  size_t rows = 40;
  size_t threads = 4;
};

Interleaving select_interleaving(ReportContext& context, const FailureStory& story,
                                 const InterleavingLimits& limits = {});

}  // namespace heddle
