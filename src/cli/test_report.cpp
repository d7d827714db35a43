#include "cli/test_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/order_measure.h"
#include "cli/check_report.h"
#include "cli/command_line.h"
#include "report/text.h"

namespace heddle {
namespace {

size_t regression_races(const CheckResult& result) {
  return static_cast<size_t>(
      std::count_if(result.findings.begin(), result.findings.end(), is_regression_race));
}

void say_measure(const CheckResult& result) {
  const CheckSelection& selection = result.selection;
  const OrderMeasure measure = measure_order(result.findings, selection.order, selection.selected);
  if (measure.races == 0) {
    say("no regression race was found, so the order cannot be measured");
    return;
  }
  say(fmt::format(
      "APFD of the order: {:.1f} on all {}, {}", measure.apfd, count_of(selection.of, "test"),
      measure.races_of_selected == 0
          ? "and those selected show no race"
          : fmt::format("{:.1f} on the {} selected", measure.apfd_of_selected, selection.selected)));
  if (measure.races_of_selected < measure.races)
    say(fmt::format("the selected tests show {} of {}", measure.races_of_selected,
                    count_of(measure.races, "regression race")));
}

}  // namespace

namespace {

std::string verdict_of(const TestReport& report, const CheckResult& result) {
  const size_t races = regression_races(result);
  const size_t others = result.count(FindingStatus::kNew) - races;
  const size_t known = result.count(FindingStatus::kKnown);
  std::string text = fmt::format("{} against {}: {}, {}", result.head.name, result.base.name,
                                 tests_tried(result), count_of(races, "regression race"));
  if (others != 0) text += fmt::format(", {} of another kind", count_of(others, "new finding"));
  if (known != 0)
    text += fmt::format(", {} that the base shows, too{}", known,
                        report.lists_known ? "" : " (--known tells them)");
  return text + tests_left(result);
}

}  // namespace

void TestReport::tell(CheckResult& result, const std::filesystem::path& folder,
                      const EvidenceOptions& evidence) const {
  // Only the first few are told in full.
  std::stable_partition(result.findings.begin(), result.findings.end(), is_regression_race);
  tell_findings(result, folder, lists_known, evidence);
  if (measures) say_measure(result);
  say(result.base_failure.empty() ? verdict_of(*this, result) : summary_without_base(result));
}

Report TestReport::describe(const CheckResult& result, const std::string& error) const {
  Report report = describe_check(result, error);
  if (error.empty()) report.verdict = verdict_of(*this, result);
  RunResult& told = report.result;
  told.command = "test";
  told.own["regression_races"] = regression_races(result);
  told.own["verifying_executions"] = result.verifying_executions;
  told.own["order"] = result.selection.order;
  if (!lists_known)
    std::erase_if(told.findings,
                  [](const Finding& finding) { return finding.status == FindingStatus::kKnown; });
  if (!measures) return report;
  const CheckSelection& selection = result.selection;
  const OrderMeasure measure = measure_order(result.findings, selection.order, selection.selected);
  nlohmann::ordered_json& apfd = told.own["apfd"] = nlohmann::ordered_json::object();
  apfd["races"] = measure.races;
  apfd["races_of_selected"] = measure.races_of_selected;
  if (measure.races != 0) apfd["all"] = measure.apfd;
  if (measure.races_of_selected != 0) apfd["selected"] = measure.apfd_of_selected;
  return report;
}

}  // namespace heddle
