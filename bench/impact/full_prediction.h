// FullPrediction: all that is predicted and detected from the head's execution, executed, and told with
// whether it has an impacted event.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "check/compared_test.h"
#include "check/regression_filter.h"
#include "harmless_in_base.h"

namespace heddle::bench {

struct FailingPattern {
  Finding finding;
  FindingOfBoth asked;         // as it was predicted
  std::string harm;            // "assertion: …"; empty if it was executed, and that is the harm
  bool has_impacted = false;   // as it was predicted without knowing what is impacted
  bool is_in_focus = false;    // predicted from what is impacted
  bool is_of_another = false;  // its failure is that of a pattern with an impacted event; see name_causes()
};

class FullPrediction final : private FindingListener, private SuspectedTest {
 public:
  // All must outlive this.
  FullPrediction(const ChangeImpact& change, ComparedTest& compared, TestImpact& test,
                 Symbolizer& symbolizer);

  // What the base does not have, each once.
  Expected<std::vector<FailingPattern>> run();

 private:
  Expected<void> look_into_predictions(const Focus& focus);
  Expected<void> look_into_suspicions();
  Expected<void> look_into(const detect::Detections& one, bool has_impacted);
  Expected<void> name_causes();
  bool is_impacted(uint64_t event) const { return focus_.includes(event); }

  Symbolizer& symbolizer() override { return symbolizer_; }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;

  bool confirms() const override { return true; }
  bool has_time() const override;
  Expected<Confirmer*> confirmer() override { return confirmer_.get(); }
  Expected<std::optional<Confirmed>> tell_known(const std::string&, ReportContext&, FailureStory,
                                                ToldFinding) override {
    return std::nullopt;
  }
  void remember(const std::string&, const Verdict&) override {}

  TestImpact& test_;
  Symbolizer& symbolizer_;
  const Focus focus_;
  const StatementsOfBoth statements_;
  BaseFindings base_;
  HarmlessInBase harmless_;
  RegressionFilter filter_;
  LazyConfirmer confirmer_;
  const std::chrono::steady_clock::time_point deadline_;
  // Of what is being looked into.
  bool has_impacted_ = false;
  bool is_in_focus_ = false;
  bool counts_executed_ = true;
  std::set<std::pair<std::string, bool>> looked_into_;
  std::map<std::string, FailingPattern> found_;  // by fingerprint, as it was predicted
  std::string asked_;
  FindingOfBoth asked_about_;
};

}  // namespace heddle::bench
