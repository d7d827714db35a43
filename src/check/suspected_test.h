// Who is told what came of suspicions and predictions, and what can execute them: the two sides of Suspects
// and Prophecies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "confirm/confirm.h"
#include "report/finding.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle {

// How sure a finding is, and what shows it.
struct ToldFinding {
  trace::OutcomeKind kind = trace::OutcomeKind::kRace;
  Confirmation confirmation = Confirmation::kPredicted;
  bool confirmed_earlier = false;             // by a run before this one
  std::vector<std::string> notes;             // lines about how sure it is
  const trace::Schedule* schedule = nullptr;  // replays it, if there is one
  std::optional<uint64_t> executions;
  uint32_t pattern = 0;  // of accesses; 0: none
};

class FindingListener {
 public:
  virtual ~FindingListener() = default;
  virtual Symbolizer& symbolizer() = 0;
  // Paths below it are told relative to it; empty: as they are.
  virtual std::string directory() const { return {}; }
  // Its fingerprint if it is worth looking into: it has not been told and is not suppressed.
  virtual std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                          trace::OutcomeKind kind) = 0;
  virtual Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) = 0;
};

// A test that is recorded and ready to be executed again.
class SuspectedTest {
 public:
  virtual ~SuspectedTest() = default;
  virtual bool confirms() const = 0;  // else nothing is executed
  virtual bool has_time() const = 0;
  // Made when it is first needed, since it costs executions.
  virtual Expected<Confirmer*> confirmer() = 0;
  // Tells what an earlier run has found out about it, and gives back what that is; nothing if it is not
  // known.
  virtual Expected<std::optional<Confirmed>> tell_known(const std::string& fingerprint,
                                                        ReportContext& context, FailureStory story,
                                                        ToldFinding told) = 0;
  // For later runs.
  virtual void remember(const std::string& fingerprint, const Verdict& verdict) = 0;
};

Confirmation to_confirmation(Confirmed confirmed);

}  // namespace heddle
