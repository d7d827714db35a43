#include "generate/plan_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::generate {
namespace {

void add_part(const char* part, const std::vector<OperationId>& calls, const OperationTable& operations,
              std::string* text) {
  std::string line = part;
  std::string labels;
  for (const OperationId call : calls) {
    line += fmt::format(" {}", static_cast<uint32_t>(call));
    labels += (labels.empty() ? "" : "; ") + operations[call].label;
  }
  // A label may have anything in it, but a comment ends with its line.
  std::replace(labels.begin(), labels.end(), '\n', ' ');
  *text += labels.empty() ? line + "\n" : fmt::format("{:<20} # {}\n", line, labels);
}

}  // namespace

std::string plan_text(const CallPlan& plan, const OperationTable& operations, bool wants_state) {
  std::string text;
  add_part("constructor", {plan.constructor}, operations, &text);
  if (!plan.before.empty()) add_part("before", plan.before, operations, &text);
  for (const std::vector<OperationId>& thread : plan.threads) add_part("thread", thread, operations, &text);
  if (!plan.after.empty()) add_part("after", plan.after, operations, &text);
  if (wants_state) text += "state\n";
  return text;
}

}  // namespace heddle::generate
