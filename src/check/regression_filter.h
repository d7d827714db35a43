// RegressionFilter: of what is found in the head, tells a listener what the base does not have.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/base_findings.h"
#include "check/suspected_test.h"

namespace heddle {

// Whether the base does it as well.
using AskBase = std::function<Expected<bool>(const FindingOfBoth&)>;

class RegressionFilter final : public FindingListener {
 public:
  // The listener must outlive this.
  RegressionFilter(FindingListener& told, NameOfStatement statement_of, AskBase base_has)
      : told_(told), statement_of_(std::move(statement_of)), base_has_(std::move(base_has)) {}

  Symbolizer& symbolizer() override { return told_.symbolizer(); }
  std::string directory() const override { return told_.directory(); }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;

  // From now on findings are kept until tell_deferred(). For those that refer to nothing but the trace they
  // were found in: there is no schedule to them.
  void defer() { is_deferring_ = true; }
  // What the base will be asked about.
  std::vector<FindingOfBoth> deferred() const;
  Expected<void> tell_deferred();

  // What the base has as well.
  const std::vector<Finding>& known() const { return known_; }
  // Whether something was told that makes the test fail.
  bool has_told_harm() const { return has_told_harm_; }

 private:
  struct Deferred {
    ReportContext context;
    FailureStory story;
    ToldFinding told;
    FindingOfBoth asked;
  };

  FindingOfBoth asked_about(const Finding& finding) const;

  FindingListener& told_;
  const NameOfStatement statement_of_;
  const AskBase base_has_;
  // By fingerprint, as it was predicted or suspected. The story of what came of it can have other places.
  std::map<std::string, FindingOfBoth> asked_;
  std::vector<Finding> known_;
  bool has_told_harm_ = false;
  bool is_deferring_ = false;
  std::vector<Deferred> deferred_;
};

}  // namespace heddle
