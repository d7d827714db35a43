#include "runtime/races.h"

#include "runtime/address_space.h"
#include "runtime/drop_in.h"
#include "runtime/failure.h"
#include "runtime/heap.h"
#include "runtime/index_map.h"
#include "runtime/modules.h"
#include "runtime/recorder.h"
#include "runtime/sys.h"
#include "trace/variable_key.h"

namespace heddle::rt {

HEDDLE_WORLD CodePlace* places;
HEDDLE_WORLD uint32_t* recent_places;

namespace {

using detect::PastAccess;
using trace::EventKind;
using namespace place_bits;
using trace::OutcomeKind;
using trace::TableId;
namespace flag = trace::event_flag;

HEDDLE_WORLD uint32_t place_count;
HEDDLE_WORLD IndexMap place_of_site;

// Pairs of sites, with how many variables; and each such pair with a variable, with how many pairs of calling
// contexts are listed, or kTold.
HEDDLE_WORLD IndexMap reported;
HEDDLE_WORLD IndexMap reported_contexts;
inline constexpr uint32_t kTold = ~0u;
// Suppressions can be about callers, so one pair of contexts does not stand for all.
inline constexpr uint32_t kMaxContexts = 16;
HEDDLE_EXECUTION uint64_t first_without_event;

inline constexpr uintptr_t kFirstMapped = 4096;

struct Range {
  uintptr_t begin;
  uintptr_t end;
};
inline constexpr size_t kMaxExpected = 1u << 12;
HEDDLE_WORLD Range* expected;
HEDDLE_EXECUTION size_t expected_count;

uint32_t add_place(uintptr_t pc, uint32_t context) {
  const uint32_t site = site_of(pc);
  uint32_t* number = place_of_site.find(uint64_t{context} << 32 | (site + 1));
  if (*number != 0) return *number;
  if (place_count + 1 >= kMaxPlaces) return 0;
  places[++place_count] = {pc, site, context};
  return *number = place_count;
}

bool is_expected(uintptr_t granule) {
  for (size_t i = 0; i < expected_count; ++i) {
    if (expected[i].begin < granule + 8 && granule < expected[i].end) return true;
  }
  return false;
}

EventKind kind_of(const PastAccess& access) {
  if (access.frees()) return EventKind::kFree;
  if (access.is_atomic()) return access.writes() ? EventKind::kAtomicWrite : EventKind::kAtomicRead;
  return access.writes() ? EventKind::kWrite : EventKind::kRead;
}

trace::RaceAccess describe(const PastAccess& access) {
  const CodePlace& place = places[access.where & (kMaxPlaces - 1)];
  trace::RaceAccess result{};
  result.thread = static_cast<uint32_t>(access.where >> kPlaceBits & ((1u << kThreadBits) - 1));
  result.site = place.site;
  result.context = place.context;
  result.kind = kind_of(access);
  result.flags = static_cast<uint16_t>(((access.where & kIsVptr) != 0 ? flag::kVptr : 0) |
                                       ((access.where & kIsRange) != 0 ? flag::kRange : 0));
  return result;
}

// Which variable it is, as far as that can be told without names; see trace/variable_key.h.
uint64_t variable_at(uintptr_t address) {
  const Place place = place_of(address);
  if (place.heap != nullptr) return place.heap->key;
  return place.kind == trace::ObjectKind::kStack ? place.offset : address;
}

uint64_t unordered_pair(uint32_t a, uint32_t b) {
  return a < b ? uint64_t{a} << 32 | b : uint64_t{b} << 32 | a;
}

// The key in `reported` of the pair with its variable if it is to be listed, else 0: it has been told, or
// listed for these contexts, or for many.
uint64_t find_new(const trace::RaceAccess& first, const trace::RaceAccess& second, uintptr_t address) {
  const uint64_t pair = unordered_pair(first.site, second.site);
  const uint64_t key = trace::mix_key(pair, variable_at(address)) | uint64_t{1} << 63;
  const uint32_t listed = *reported.find(key);
  if (listed == kTold || listed == kMaxContexts) return 0;
  if (listed == 0) {
    uint32_t& variables = *reported.find(pair + 1);
    if (variables >= trace::kMostVariablesAtSites) return 0;
    ++variables;
  }
  uint32_t& known =
      *reported_contexts.find(trace::mix_key(key, unordered_pair(first.context, second.context)) | 1);
  if (known != 0) return 0;
  known = 1;
  ++*reported.find(key);
  return key;
}

void describe_outcome(const trace::RaceRecord& race) {
  trace::OutcomeRecord& outcome = rt.arena->outcome;
  if (outcome.kind != OutcomeKind::kOk) return;
  const bool after_free = race.first.kind == EventKind::kFree;
  outcome.kind = after_free ? OutcomeKind::kUseAfterFree : OutcomeKind::kRace;
  outcome.thread = race.second.thread;
  outcome.steps = rt.steps;
  outcome.site = race.second.site;
  outcome.context = race.second.context;
  outcome.object = race.object;
  outcome.offset = race.second.offset;
  Text text(outcome.message, sizeof outcome.message);
  if (race.second.kind == EventKind::kFree)
    text.add("memory is freed that another thread uses, with nothing to order the two");
  else if (after_free)
    text.add(race.ordered != 0 ? "use of freed memory" : "use of memory that another thread frees");
  else
    text.add("data race on ").add(race.second.size).add(race.second.size == 1 ? " byte" : " bytes");
}

}  // namespace

uint32_t find_race_place(uintptr_t pc, uint32_t context) {
  return add_place(pc, context);
}

void report_race(const PastAccess& past, uintptr_t granule, const PastAccess& now, const RacingAccess& access,
                 bool ordered) {
  trace::RaceRecord race{};
  race.first = describe(past);
  race.second = describe(now);
  if (granule < kFirstMapped) return;  // both end in a fault
  if (expected_count != 0 && is_expected(granule)) return;
  // Of a block operation, where it begins: it is about one variable.
  const auto first_byte = static_cast<unsigned>(__builtin_ctz(static_cast<unsigned>(past.bytes)));
  const uintptr_t begin = granule + first_byte < access.address ? granule + first_byte : access.address;
  const uint64_t listed = find_new(race.first, race.second, begin);
  if (listed == 0) return;
  const Location location = location_of(granule);
  race.object = location.object;
  race.ordered = ordered ? 1 : 0;
  race.first.offset = location.offset + first_byte;
  race.first.size = static_cast<uint32_t>(__builtin_popcount(static_cast<unsigned>(past.bytes)));
  race.second.offset = location.offset + access.address - granule;
  race.second.size = access.size > ~0u ? ~0u : static_cast<uint32_t>(access.size);
  if (!append(TableId::kRaces, race)) return;
  describe_outcome(race);
  if (!rt.with_tool && rt.execution == 0 &&
      drop_in_tell_race(descriptor(TableId::kRaces).count - 1, access.address))
    *reported.find(listed) = kTold;
}

void note_race_event(const trace::EventRecord& event) {
  const uint64_t count = descriptor(TableId::kRaces).count;
  auto* races = table<trace::RaceRecord>(TableId::kRaces);
  for (uint64_t i = first_without_event; i < count; ++i) {
    trace::RaceAccess& access = races[i].second;
    if (access.event == 0 && access.thread == event.thread && access.site == event.site)
      access.event = descriptor(TableId::kEvents).count;
    if (i == first_without_event && access.event != 0) first_without_event++;
  }
}

void expect_races(uintptr_t address, size_t size) {
  if (expected == nullptr) expected = static_cast<Range*>(own_memory(kMaxExpected * sizeof(Range)));
  if (expected_count < kMaxExpected) expected[expected_count++] = {address, address + size};
}

void races_begin_execution() {
  if (!detecting()) return;
  if (places == nullptr) {
    places = static_cast<CodePlace*>(own_memory(kMaxPlaces * sizeof(CodePlace)));
    recent_places = static_cast<uint32_t*>(own_memory(kRecentPlaces * sizeof(uint32_t)));
  }
  reported.clear();
  reported_contexts.clear();
}

}  // namespace heddle::rt
