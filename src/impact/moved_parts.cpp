#include "impact/moved_parts.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "trace/variable_key.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::mix_key;

struct Part {
  uint64_t object = 0;  // its name
  uint64_t offset = 0;
};

// Calls `visit` with the place and the part of each operation on something in a heap object that is no
// access.
template <class Visit>
void visit_uses(const trace::Trace& trace, const VersionNames& names, const Visit& visit) {
  ComparableTrace comparable(trace, names);
  for (const EventRecord& event : trace.events()) {
    comparable.see(event);
    const bool is_access = event.kind >= EventKind::kRead && event.kind <= EventKind::kAtomicUpdate;
    if (is_access || event.object == 0 || event.kind == EventKind::kAlloc || event.kind == EventKind::kFree ||
        trace.objects()[event.object].kind != trace::ObjectKind::kHeap || comparable.is_changed(event.site))
      continue;
    const uint64_t place =
        mix_key(mix_key(comparable.thread(event.thread), comparable.place(event.context, event.site)),
                static_cast<uint64_t>(event.kind));
    visit(place, Part{comparable.object(event.object), event.offset});
  }
}

uint64_t key_of(const Part& part) {
  return mix_key(part.object, part.offset);
}

struct Votes {
  uint64_t count = 0;
  Part head;
  uint64_t base = 0;  // offset
};

}  // namespace

MovedParts MovedParts::find(const trace::Trace& base, const VersionNames& base_names,
                            const trace::Trace& head, const VersionNames& head_names) {
  std::unordered_map<uint64_t, std::vector<Part>> uses;  // by place, in order
  visit_uses(base, base_names, [&](uint64_t place, const Part& part) { uses[place].push_back(part); });
  std::unordered_map<uint64_t, size_t> met;
  std::map<std::pair<uint64_t, uint64_t>, Votes> votes;  // by part of the head and offset in the base
  visit_uses(head, head_names, [&](uint64_t place, const Part& part) {
    const auto found = uses.find(place);
    const size_t number = met[place]++;
    if (found == uses.end() || number >= found->second.size()) return;
    const Part& before = found->second[number];
    if (before.object != part.object) return;
    Votes& vote = votes[{key_of(part), before.offset}];
    ++vote.count;
    vote.head = part;
    vote.base = before.offset;
  });
  std::vector<Votes> best;
  for (const auto& [parts, vote] : votes) best.push_back(vote);
  std::ranges::stable_sort(best, std::ranges::greater{}, &Votes::count);
  MovedParts result;
  std::set<uint64_t> taken;  // parts of the base
  for (const Votes& vote : best) {
    if (result.offsets_.contains(key_of(vote.head))) continue;
    if (!taken.insert(key_of({vote.head.object, vote.base})).second) continue;
    result.offsets_.emplace(key_of(vote.head), vote.base);
    if (vote.head.offset != vote.base) result.moved_.insert(vote.head.object);
  }
  return result;
}

std::optional<uint64_t> MovedParts::offset_in_base(uint64_t object, uint64_t offset) const {
  const auto found = offsets_.find(key_of({object, offset}));
  if (found != offsets_.end()) return found->second;
  if (moved_.contains(object)) return std::nullopt;
  return offset;
}

}  // namespace heddle
