// Finding: a failure of the program under test, as it is told to people and to other tools.
//
// Two executions show the same finding if their fingerprints are equal. A fingerprint is made of the kind,
// the functions and the variables that take part, never of lines, addresses, thread numbers or the schedule:
// it survives rebuilds and edits elsewhere in the file, and does not depend on which thread came first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/story.h"

namespace heddle {

// How sure we are, as `confirmation` in docs/json.md.
enum class Confirmation { kExecuted, kHarmful, kBenign, kNotReproduced, kPredicted };

// Whether an execution has shown it.
inline bool is_confirmed(Confirmation confirmation) {
  return confirmation != Confirmation::kPredicted && confirmation != Confirmation::kNotReproduced;
}

// Whether it is more than a suspicion: confirmed, and not an interleaving that did no harm, which is everyday
// life.
bool is_shown(std::string_view kind, Confirmation confirmation);

// Whether the base build has the same finding, as `status` in docs/json.md.
enum class FindingStatus { kUnknown, kNew, kKnown };

struct FindingSite {
  std::string file;  // empty if not known
  uint32_t line = 0;
  uint32_t column = 0;
  std::string function;

  bool operator==(const FindingSite&) const = default;
};

struct Evidence;  // report/evidence.h

struct Finding {
  std::string kind;  // text of the OutcomeKind
  std::string fingerprint;
  std::vector<std::string> identity;  // what the fingerprint is made of, beside the kind
  std::string message;                // one sentence without the kind
  bool confirmed = true;
  Confirmation confirmation = Confirmation::kExecuted;
  bool confirmed_earlier = false;  // not by this run; it is remembered
  FindingStatus status = FindingStatus::kUnknown;
  std::optional<uint64_t> executions_to_find;
  std::optional<uint64_t> occurrences;       // in how many of many executions it showed
  std::optional<uint64_t> seed;              // of the first of them
  std::optional<size_t> race;                // which of the execution's races it is
  std::optional<uint32_t> pattern;           // atomicity: of accesses, 1 to 14; nothing if none describes it
  std::vector<FindingSite> sites;            // where the failure shows, the most telling first
  std::vector<std::string> threads;          // those that take part
  std::vector<std::string> tests;            // of a suite, that show it
  std::vector<std::string> words;            // what the first of them says of it
  std::string schedule;                      // absolute path of the schedule file; empty if none was written
  std::shared_ptr<const Evidence> evidence;  // what an execution has shown of it; null if none was kept
};

// Of a finding of this kind, by what it is made of.
std::string fingerprint(std::string_view kind, const std::vector<std::string>& identity);

// The failure that an execution ended with; nothing if it ended well. Which schedule file shows it and how
// long it took to find is for the caller to add.
// `suppressions`, if there are any, are asked first: of several races the first is told that is not
// suppressed.
class Suppressions;
std::optional<Finding> make_finding(const trace::Trace& trace, Symbolizer& symbolizer,
                                    Suppressions* suppressions = nullptr);
// All of them: an execution can have several races.
std::vector<Finding> make_findings(const trace::Trace& trace, Symbolizer& symbolizer,
                                   Suppressions* suppressions = nullptr);
// Its races alone, whatever it ended with.
std::vector<Finding> make_race_findings(const trace::Trace& trace, Symbolizer& symbolizer,
                                        Suppressions* suppressions = nullptr);

// The same for a story that has been told already.
Finding make_finding(ReportContext& context, const FailureStory& story);
// For one that is not about the outcome.
Finding make_finding(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind);

}  // namespace heddle
