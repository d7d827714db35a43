// Evidence: what an execution has shown of a finding, in names, for reporters that tell it later.
//
// It is made when a finding is told, since the trace is gone with the next execution, and travels with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/flow.h"
#include "report/recorded_execution.h"
#include "report/report_context.h"
#include "report/story.h"

namespace heddle {

struct Evidence {
  std::string message;              // the verdict in one sentence, without the kind
  std::vector<std::string> banner;  // lines in the format of another tool, shown before anything else
  std::vector<Paragraph> details;
  std::vector<std::string> notes;  // why the report may say less than it could
  std::vector<SourceLine> sites;   // the finding's, with their text
  Flow columns;                    // as much as fits beside each other in a terminal
  Flow flow;                       // of all threads that take part; empty unless it was asked for
  std::shared_ptr<const RecordedExecution> execution;  // null unless it was asked for
};

struct EvidenceOptions {
  std::string directory;  // words name files below it relative to it; empty: the current one
  SourceScope scope;      // for all other names
  size_t columns = 3;     // threads beside each other in a terminal
  size_t rows = 40;       // below each other
  bool wants_flow = false;
  bool wants_events = false;  // `execution`, too
};

Evidence make_evidence(ReportContext& context, const FailureStory& story, const EvidenceOptions& options);

// Adds the evidence to a finding of this execution: of the race that it is, or of how the execution ended.
void add_evidence(Finding* finding, const trace::Trace& trace, Symbolizer& symbolizer,
                  const EvidenceOptions& options);

}  // namespace heddle
