#include "trace/policy.h"

#include <charconv>

#include <fmt/format.h>

#include "trace/names.h"

namespace heddle::trace {
namespace {

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

bool uses_seed(PolicyKind kind) {
  return is_random(kind);
}

std::string list_policies() {
  std::string list;
  for (uint32_t i = 0; i < static_cast<uint32_t>(PolicyKind::kCount); ++i) {
    if (is_guided(PolicyKind{i})) continue;
    list += list.empty() ? "" : ", ";
    list += to_text(PolicyKind{i});
    list += PolicyKind{i} == PolicyKind::kPct ? ":D (D at least 1)" : "";
  }
  return list;
}

Expected<PolicySpec> parse_policy(std::string_view text) {
  constexpr std::string_view kSeed = " seed ";
  PolicySpec policy;
  std::string_view name = text;
  if (const size_t at = text.find(kSeed); at != text.npos) {
    name = text.substr(0, at);
    const std::string_view seed = text.substr(at + kSeed.size());
    if (!parse_number(seed, policy.seed)) {
      return usage_error(fmt::format("'{}' is not a seed: expected a number from 0 to 2^64-1", seed));
    }
  }
  std::string_view depth;
  const size_t colon = name.find(':');
  if (colon != name.npos) {
    depth = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  for (uint32_t i = 0; i < static_cast<uint32_t>(PolicyKind::kCount); ++i) {
    policy.kind = PolicyKind{i};
    if (to_text(policy.kind) != name || (policy.kind == PolicyKind::kPct) != (colon != text.npos)) {
      continue;
    }
    if (policy.kind == PolicyKind::kPct &&
        (!parse_number(depth, policy.depth) || policy.depth < 1 || policy.depth > kMaxPctDepth)) {
      return usage_error(
          fmt::format("'{}' is not a depth for pct:D: expected a number from 1 to {}", depth, kMaxPctDepth));
    }
    return policy;
  }
  return usage_error(fmt::format("unknown policy '{}': expected one of {}", text, list_policies()));
}

std::string policy_name(const PolicySpec& policy) {
  std::string name(to_text(policy.kind));
  if (policy.kind == PolicyKind::kPct) name += fmt::format(":{}", policy.depth);
  return name;
}

std::string print_policy(const PolicySpec& policy) {
  std::string text = policy_name(policy);
  if (uses_seed(policy.kind) || policy.seed != 0) text += fmt::format(" seed {}", policy.seed);
  return text;
}

}  // namespace heddle::trace
