#include "check/order_measure.h"

#include <algorithm>
#include <map>

#include "select/apfd.h"

namespace heddle {

bool is_regression_race(const CheckFinding& finding) {
  const Finding& found = finding.found.finding;
  return found.status == FindingStatus::kNew && (found.kind == "race" || found.kind == "use-after-free");
}

OrderMeasure measure_order(const std::vector<CheckFinding>& findings, const std::vector<std::string>& order,
                           size_t selected) {
  std::map<std::string, uint32_t> positions;
  for (size_t i = 0; i < order.size(); ++i) positions[order[i]] = static_cast<uint32_t>(i + 1);
  std::vector<uint32_t> first;
  for (const CheckFinding& finding : findings) {
    if (!is_regression_race(finding)) continue;
    auto least = static_cast<uint32_t>(order.size());
    for (const std::string& test : finding.tests)
      if (const auto at = positions.find(test); at != positions.end()) least = std::min(least, at->second);
    first.push_back(least);
  }
  OrderMeasure measure{.races = first.size(), .apfd = select::apfd(order.size(), first)};
  std::erase_if(first, [&](uint32_t position) { return position > selected; });
  measure.races_of_selected = first.size();
  measure.apfd_of_selected = select::apfd(selected, first);
  return measure;
}

}  // namespace heddle
