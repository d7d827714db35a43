#include "predict/units.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace heddle {

Expected<UnitRule> parse_unit_rule(std::string_view text) {
  constexpr std::string_view kCall = "call:";
  if (text == "function") return UnitRule{UnitRule::Kind::kFunction, 0};
  if (text == "lock") return UnitRule{UnitRule::Kind::kLock, 0};
  if (text == "thread") return UnitRule{UnitRule::Kind::kThread, 0};
  if (text.starts_with(kCall)) {
    UnitRule rule;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + kCall.size(), end, rule.callers);
    if (problem == std::errc() && stop == end) return rule;
  }
  return usage_error(
      fmt::format("units of work are \"function\", \"call:N\", \"lock\" or \"thread\", not \"{}\"", text));
}

Units::Units(const Accesses& accesses, UnitRule rule)
    : accesses_(accesses),
      rule_(rule),
      threads_(accesses.model().thread_count()),
      touched_(accesses.activations().size()) {}

// The outermost of those around it that access the set themselves. To count a reference, or an event, is not
// to work on what is counted.
uint32_t Units::activation_of(uint32_t activation) {
  const Activations& activations = accesses_.activations();
  uint32_t outermost = activation;
  for (uint32_t at = activation;;) {
    if (touched_[at] == stamp_) outermost = at;
    const uint32_t caller = activations.caller(at);
    if (caller == at) break;
    at = caller;
  }
  for (uint32_t i = 0; i < rule_.callers; ++i) outermost = activations.caller(outermost);
  return outermost;
}

Units::Key Units::key_of(const Access& access) {
  if (rule_.kind == UnitRule::Kind::kThread) return {};
  const std::span<const EventIndex> handovers = accesses_.handovers(access.thread);
  const auto passed = std::ranges::lower_bound(handovers, access.event) - handovers.begin();
  Key key{.part = 0, .handovers = static_cast<uint32_t>(passed)};
  if (rule_.kind == UnitRule::Kind::kLock)
    key.part = access.region;
  else if (accesses_.has_contexts())
    key.part = activation_of(access.activation);
  else if (threads_[access.thread].takes_locks)
    key.part = access.region;
  return key;
}

uint32_t Units::assign(std::span<Access> of_one_set) {
  ++stamp_;
  for (const Access& access : of_one_set) {
    if (!access.is_update()) touched_[access.activation] = stamp_;
    ThreadState& thread = threads_[access.thread];
    if (thread.stamp != stamp_) thread = {.stamp = stamp_};
    thread.takes_locks |= access.region % 2 == 1;
  }
  uint32_t units = 0;
  for (Access& access : of_one_set) {
    ThreadState& thread = threads_[access.thread];
    const Key key = key_of(access);
    if (!thread.has_unit || thread.key != key) {
      thread.has_unit = true;
      thread.key = key;
      thread.unit = units++;
    }
    access.unit = thread.unit;
  }
  return units;
}

}  // namespace heddle
