#include "cli/test_report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/check_report.h"
#include "cli/command_line.h"
#include "report/text.h"
#include "select/apfd.h"

namespace heddle {
namespace {

bool is_regression_race(const CheckFinding& finding) {
  const Finding& found = finding.found.finding;
  return found.status == FindingStatus::kNew && (found.kind == "race" || found.kind == "use-after-free");
}

size_t regression_races(const CheckResult& result) {
  return static_cast<size_t>(
      std::count_if(result.findings.begin(), result.findings.end(), is_regression_race));
}

void say_measure(const CheckResult& result) {
  const OrderMeasure measure = measure_order(result);
  if (measure.races == 0) {
    say("no regression race was found, so the order cannot be measured");
    return;
  }
  say(fmt::format(
      "APFD of the order: {:.1f} on all {}, {}", measure.apfd, count_of(result.selection.of, "test"),
      measure.races_of_selected == 0
          ? "and those selected show no race"
          : fmt::format("{:.1f} on the {} selected", measure.apfd_of_selected, result.selection.selected)));
  if (measure.races_of_selected < measure.races)
    say(fmt::format("the selected tests show {} of {}", measure.races_of_selected,
                    count_of(measure.races, "regression race")));
}

}  // namespace

OrderMeasure measure_order(const CheckResult& result) {
  const std::vector<std::string>& order = result.selection.order;
  std::map<std::string, uint32_t> positions;
  for (size_t i = 0; i < order.size(); ++i) positions[order[i]] = static_cast<uint32_t>(i + 1);
  std::vector<uint32_t> first;
  for (const CheckFinding& finding : result.findings) {
    if (!is_regression_race(finding)) continue;
    uint32_t least = static_cast<uint32_t>(order.size());
    for (const std::string& test : finding.tests)
      if (const auto at = positions.find(test); at != positions.end()) least = std::min(least, at->second);
    first.push_back(least);
  }
  OrderMeasure measure{.races = first.size(), .apfd = select::apfd(order.size(), first)};
  std::erase_if(first, [&](uint32_t position) { return position > result.selection.selected; });
  measure.races_of_selected = first.size();
  measure.apfd_of_selected = select::apfd(result.selection.selected, first);
  return measure;
}

Expected<void> TestReport::tell(CheckResult& result, const std::filesystem::path& folder) const {
  if (const Expected<void> told = tell_findings(result, folder, lists_known); !told) return told;
  if (measures) say_measure(result);
  const size_t races = regression_races(result);
  const size_t others = result.count(FindingStatus::kNew) - races;
  const size_t known = result.count(FindingStatus::kKnown);
  std::string text = fmt::format("{} against {}: {}, {}", result.head.name, result.base.name,
                                 tests_tried(result), count_of(races, "regression race"));
  if (others != 0) text += fmt::format(", {} of another kind", count_of(others, "new finding"));
  if (known != 0)
    text += fmt::format(", {} that the base shows, too{}", known, lists_known ? "" : " (--known tells them)");
  say(text);
  return {};
}

RunResult TestReport::describe(const CheckResult& result, const std::string& error) const {
  RunResult told = describe_check(result, error);
  told.command = "test";
  told.own["regression_races"] = regression_races(result);
  told.own["order"] = result.selection.order;
  if (!lists_known)
    std::erase_if(told.findings,
                  [](const Finding& finding) { return finding.status == FindingStatus::kKnown; });
  if (!measures) return told;
  const OrderMeasure measure = measure_order(result);
  nlohmann::ordered_json& apfd = told.own["apfd"] = nlohmann::ordered_json::object();
  apfd["races"] = measure.races;
  apfd["races_of_selected"] = measure.races_of_selected;
  if (measure.races != 0) apfd["all"] = measure.apfd;
  if (measure.races_of_selected != 0) apfd["selected"] = measure.apfd_of_selected;
  return told;
}

}  // namespace heddle
