// RegressionFilter: of what is found in the head, tells a listener what the base does not have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/base_findings.h"
#include "check/suspected_test.h"

namespace heddle {

class RegressionFilter final : public FindingListener {
 public:
  // All must outlive this.
  RegressionFilter(FindingListener& told, NameOfStatement statement_of, BaseFindings& base)
      : told_(told), statement_of_(std::move(statement_of)), base_(base) {}

  Symbolizer& symbolizer() override { return told_.symbolizer(); }
  std::string directory() const override { return told_.directory(); }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;

  // What the base has as well.
  const std::vector<Finding>& known() const { return known_; }

 private:
  FindingListener& told_;
  const NameOfStatement statement_of_;
  BaseFindings& base_;
  // By fingerprint, as it was predicted or suspected. The story of what came of it can have other places.
  std::map<std::string, FindingOfBoth> asked_;
  std::vector<Finding> known_;
};

}  // namespace heddle
