#include "check/sameness.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "trace/hash.h"

namespace heddle {
namespace {

std::string renamed_function(const std::string& name, const RenamedFunctions& renamed) {
  const auto found = renamed.find(name);
  return found == renamed.end() ? name : found->second;
}

// "write in Account::deposit" becomes "in Account::pay_in".
std::string function_part(std::string_view part, const RenamedFunctions& renamed) {
  constexpr std::string_view kIn = "in ";
  const size_t at = part.starts_with(kIn) ? 0 : part.find(" in ");
  if (at == std::string_view::npos) return std::string(part);
  const std::string_view what = part.substr(0, at);
  const size_t name = at == 0 ? kIn.size() : at + kIn.size() + 1;
  const std::string function = renamed_function(std::string(part.substr(name)), renamed);
  // To free memory is not one more access to it.
  return what == "free" ? "free in " + function : "in " + function;
}

// "stack a.balance_" becomes "stack .balance_", "heap make+8" follows the function.
std::string location_part(const std::string& part, const RenamedFunctions& renamed) {
  constexpr std::string_view kStack = "stack ";
  constexpr std::string_view kHeap = "heap ";
  if (part.starts_with(kStack)) {
    const size_t field = part.find_first_of(".[+", kStack.size());
    return std::string(kStack) + (field == std::string::npos ? "" : part.substr(field));
  }
  if (part.starts_with(kHeap)) {
    const size_t plus = std::min(part.rfind('+'), part.size());
    const std::string function = part.substr(kHeap.size(), plus - kHeap.size());
    return std::string(kHeap) + renamed_function(function, renamed) + part.substr(plus);
  }
  return part;
}

}  // namespace

std::string sameness_of(const Finding& finding, const FailureWords& words, const RenamedFunctions& renamed) {
  const bool is_access =
      !finding.identity.empty() && (finding.kind == "race" || finding.kind == "use-after-free");
  std::vector<std::string> parts;
  for (size_t i = 0; i < finding.identity.size(); ++i) {
    const bool is_location = is_access && i + 1 == finding.identity.size();
    parts.push_back(is_location ? location_part(finding.identity[i], renamed)
                                : function_part(finding.identity[i], renamed));
  }
  if (is_access) {
    // One function that does both is one part.
    std::sort(parts.begin(), parts.end() - 1);
    parts.erase(std::unique(parts.begin(), parts.end() - 1), parts.end() - 1);
  }
  if (finding.kind == "exit-code") parts.push_back(words.identity());
  uint64_t hash = trace::fnv1a(finding.kind);
  for (const std::string& part : parts) hash = trace::fnv1a(part + '\n', hash);
  return fmt::format("{:016x}", hash);
}

bool FailureRate::is_like(const FailureRate& other) const {
  constexpr double kRarely = 0.75;  // of the executions: that is not "always, but for chance"
  const auto rate = [](const FailureRate& one) {
    return one.executions == 0 ? 1.0 : static_cast<double>(one.failed) / static_cast<double>(one.executions);
  };
  const double most = std::max(rate(*this), rate(other));
  const double least = std::min(rate(*this), rate(other));
  return most < 1.0 || least >= kRarely;
}

}  // namespace heddle
