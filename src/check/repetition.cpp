#include "check/repetition.h"

#include <algorithm>
#include <span>

namespace heddle {
namespace {

using trace::EventRecord;
using trace::Trace;

bool is_same_site(const Trace& one, uint32_t site, const Trace& other, uint32_t other_site) {
  const trace::SiteRecord& a = one.sites()[site];
  const trace::SiteRecord& b = other.sites()[other_site];
  return a.module == b.module && a.offset == b.offset;
}

// Addresses do not count, since nothing depends on them in most programs.
bool is_same(const Trace& one, const EventRecord& a, const Trace& other, const EventRecord& b) {
  return a.thread == b.thread && a.kind == b.kind && a.size == b.size && a.order == b.order &&
         (a.object == 0) == (b.object == 0) && is_same_site(one, a.site, other, b.site);
}

}  // namespace

std::optional<uint64_t> first_difference(const Trace& one, const Trace& other) {
  const std::span<const EventRecord> a = one.events();
  const std::span<const EventRecord> b = other.events();
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i)
    if (!is_same(one, a[i], other, b[i])) return i;
  if (a.size() != b.size()) return common;
  return std::nullopt;
}

Expected<std::optional<Divergence>> repeat(ForkServer& server, const Recording& recording) {
  const Expected<Execution> again = server.run(recording.request);
  if (!again) return tl::unexpected(again.error());
  const std::optional<uint64_t> event = first_difference(recording.trace(), again->trace);
  if (!event) return std::nullopt;
  return Divergence{*event, again->trace.clone()};
}

}  // namespace heddle
