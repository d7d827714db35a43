#include "predict/candidates.h"

#include <algorithm>
#include <initializer_list>
#include <tuple>

#include "predict/index_table.h"

namespace heddle {
namespace {

uint64_t hash_of(std::initializer_list<uint64_t> words) {
  uint64_t hash = 0x9e3779b97f4a7c15ull;
  for (const uint64_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

void CandidateFinder::Group::add(Instance instance) {
  instances[seen < kKept ? seen : kFirst + seen % (kKept - kFirst)] = instance;
  ++seen;
}

void CandidateFinder::Groups::clear() {
  groups_.clear();
  ++round_;
}

CandidateFinder::Group& CandidateFinder::Groups::find(uint64_t hash) {
  if (groups_.size() * 2 >= slots_.size()) grow();
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].round == round_ && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
  if (slots_[at].round != round_) {
    slots_[at] = {hash, round_, static_cast<uint32_t>(groups_.size())};
    groups_.emplace_back();
  }
  return groups_[slots_[at].group];
}

void CandidateFinder::Groups::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.round != round_) continue;
    size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].round == round_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

CandidateFinder::CandidateFinder(const Accesses& accesses, const WitnessSearch& witnesses,
                                 const Options& options)
    : all_(accesses), witnesses_(witnesses), options_(options) {}

void CandidateFinder::search(size_t set, std::span<const Access> accesses) {
  set_ = set;
  accesses_ = accesses;
  pairs_.clear();
  wide_pairs_.clear();
  find_locations_in_question();
  find_pairs();
  if (!pairs_.all().empty()) {
    find_singles();
    match_singles();
  }
  if (!wide_pairs_.all().empty()) match_wide_pairs();
}

void CandidateFinder::find_locations_in_question() {
  in_question_.assign(accesses_.size(), options_.focus.is_everything());
  if (options_.focus.is_everything()) return;
  IndexTable numbers;
  std::vector<bool> used;  // by number of the location
  const auto number_of = [&](const Access& access) {
    const uint32_t number = numbers.number(access.location, 0);
    if (number == used.size()) used.push_back(false);
    return number;
  };
  for (const Access& access : accesses_)
    if (in_focus(access)) used[number_of(access)] = true;
  for (size_t i = 0; i < accesses_.size(); ++i) in_question_[i] = used[number_of(accesses_[i])];
}

void CandidateFinder::find_pairs() {
  constexpr uint32_t kNothing = UINT32_MAX;
  struct Last {  // of a thread's accesses to a location
    uint32_t access = kNothing;
    uint32_t write = kNothing;
  };
  struct Recent {  // of a thread's accesses in its current unit
    uint32_t unit = kNothing;
    std::vector<uint32_t> accesses;
  };
  IndexTable numbers;
  std::vector<Last> lasts;
  IndexTable threads;
  std::vector<Recent> recents;
  const bool has_locations = std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& access) {
    return access.location != accesses_[0].location;
  });
  for (uint32_t i = 0; i < accesses_.size(); ++i) {
    const Access& access = accesses_[i];
    const uint32_t number = numbers.number(access.thread, access.location);
    if (number == lasts.size()) lasts.emplace_back();
    Last& last = lasts[number];
    const auto pairs_with = [&](uint32_t before) {
      return before != kNothing && accesses_[before].unit == access.unit &&
             accesses_[before].overlaps(access);
    };
    if (pairs_with(last.access)) add_pair(pairs_, last.access, i, false);
    if (access.writes()) {
      if (last.write != last.access && pairs_with(last.write)) add_pair(pairs_, last.write, i, true);
      last.write = i;
    }
    last.access = i;
    if (!has_locations) continue;

    const uint32_t thread = threads.number(access.thread, 0);
    if (thread == recents.size()) recents.emplace_back();
    Recent& recent = recents[thread];
    if (recent.unit != access.unit) {
      recent.unit = access.unit;
      recent.accesses.clear();
    }
    const auto same = [&](uint32_t before) {
      return accesses_[before].location == access.location && accesses_[before].does == access.does;
    };
    for (const uint32_t before : recent.accesses)
      if (accesses_[before].location != access.location) add_pair(wide_pairs_, before, i, false);
    std::erase_if(recent.accesses, same);
    if (recent.accesses.size() == kWindow) recent.accesses.erase(recent.accesses.begin());
    recent.accesses.push_back(i);
  }
}

void CandidateFinder::add_pair(Groups& groups, uint32_t first, uint32_t second, bool only_for_reads) {
  const Access& a = accesses_[first];
  const Access& b = accesses_[second];
  if (a.event == b.event) return;  // two parts of one access
  if (!in_question_[first] && !in_question_[second]) return;
  const auto [low, high] = std::minmax(a.location, b.location);
  Group& group = groups.find(hash_of(
      {uint64_t{a.location} << 32 | b.location, a.thread, uint64_t{a.site} << 32 | b.site,
       uint64_t{a.does} << 24 | uint64_t{b.does} << 16 | only_for_reads,
       uint64_t{in_focus(a)} << 17 | uint64_t{in_focus(b)} << 16 | uint64_t{a.bytes} << 8 | b.bytes}));
  group.place = &groups == &pairs_ ? a.location : uint64_t{low} << 32 | high;
  group.only_for_reads = only_for_reads;
  group.in_focus = in_focus(a) || in_focus(b);
  group.add({first, second});
}

bool CandidateFinder::is_alike(const Access& a, const Access& b) const {
  return a.location == b.location && a.thread == b.thread && a.site == b.site && a.does == b.does &&
         a.bytes == b.bytes && in_focus(a) == in_focus(b);
}

void CandidateFinder::find_singles() {
  std::vector<uint64_t> places;
  for (const Group& pair : pairs_.all()) places.push_back(pair.place);
  std::sort(places.begin(), places.end());
  singles_.clear();
  for (uint32_t i = 0; i < accesses_.size(); ++i)
    if (std::binary_search(places.begin(), places.end(), accesses_[i].location)) singles_.push_back(i);
  const auto key = [&](uint32_t i) {
    const Access& a = accesses_[i];
    return std::tuple(a.location, a.thread, a.site, a.does, a.bytes, in_focus(a), i);
  };
  std::sort(singles_.begin(), singles_.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  runs_.clear();
  for (size_t i = 0; i < singles_.size(); ++i) {
    const Access& access = accesses_[singles_[i]];
    if (i == 0 || !is_alike(access, accesses_[singles_[i - 1]]))
      runs_.push_back({access.location, access.thread, in_focus(access), i, i});
    runs_.back().end = i + 1;
  }
}

void CandidateFinder::match_singles() {
  std::vector<Group>& pairs = pairs_.all();
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Group& a, const Group& b) { return a.place < b.place; });
  size_t matches = 0;
  auto begin = runs_.begin();
  auto end = begin;  // of the runs at the location of the pair
  for (const Group& pair : pairs) {
    if (begin == end || begin->location != pair.place) {
      begin = std::find_if(end, runs_.end(), [&](const Run& run) { return run.location == pair.place; });
      end = std::find_if(begin, runs_.end(), [&](const Run& run) { return run.location != pair.place; });
    }
    const uint32_t thread = accesses_[pair.instances[0].first].thread;
    const auto [own, after_own] = std::ranges::equal_range(begin, end, thread, {}, &Run::thread);
    for (auto run = begin; run != end; ++run) {
      if (run == own) run = after_own;
      if (run == end) break;
      if (!pair.in_focus && !run->in_focus) continue;
      if (++matches > kMostMatches) {
        ++crowded_sets_;
        return;
      }
      match_single(pair, std::span(singles_).subspan(run->begin, run->end - run->begin));
    }
  }
}

// What is near in the trace is likely to be possible: each pair is tried with the nearest before its end and
// after it.
void CandidateFinder::match_single(const Group& pairs, std::span<const uint32_t> singles) {
  if (pairs.only_for_reads && accesses_[singles[0]].writes()) return;
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    const Instance pair = pairs.instances[i];
    const auto after = std::lower_bound(singles.begin(), singles.end(), pair.second);
    if (after != singles.begin()) try_single(pair, *std::prev(after));
    if (after != singles.end()) try_single(pair, *after);
  }
}

void CandidateFinder::match_wide_pairs() {
  std::vector<Group>& pairs = wide_pairs_.all();
  std::stable_sort(pairs.begin(), pairs.end(), [](const Group& a, const Group& b) {
    return std::tuple(a.place, !a.in_focus) < std::tuple(b.place, !b.in_focus);
  });
  size_t matches = 0;
  for (auto begin = pairs.begin(); begin != pairs.end();) {
    const auto end =
        std::find_if(begin, pairs.end(), [&](const Group& group) { return group.place != begin->place; });
    const auto end_of_focus = std::find_if(begin, end, [](const Group& group) { return !group.in_focus; });
    for (auto mine = begin; mine != end; ++mine) {
      const auto others_end = mine->in_focus ? end : end_of_focus;
      for (auto other = begin; other != others_end; ++other) {
        if (accesses_[mine->instances[0].first].thread == accesses_[other->instances[0].first].thread)
          continue;
        if (++matches > kMostMatches) {
          ++crowded_sets_;
          return;
        }
        match_pair(*mine, *other);
      }
    }
    begin = end;
  }
}

void CandidateFinder::match_pair(const Group& pairs, const Group& others) {
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    const Instance pair = pairs.instances[i];
    const Instance* before = nullptr;
    const Instance* after = nullptr;
    for (uint32_t j = 0; j < others.size(); ++j) {
      const Instance& other = others.instances[j];
      if (other.first < pair.second) {
        if (before == nullptr || before->first < other.first) before = &other;
      } else if (after == nullptr || other.first < after->first) {
        after = &other;
      }
    }
    if (before != nullptr) try_pair(pair, *before);
    if (after != nullptr) try_pair(pair, *after);
  }
}

void CandidateFinder::try_single(Instance pair, uint32_t other) {
  const Access& first = accesses_[pair.first];
  const Access& second = accesses_[pair.second];
  const Access& between = accesses_[other];
  if (!between.conflicts_with(first) || !between.conflicts_with(second)) return;
  // An update after a read acts on what was read; after a write it shows whether that is still there.
  const bool second_writes = second.writes() && !(second.reads() && first.writes() && between.writes());
  try_order(std::array{pair.first, other, pair.second},
            std::array{PatternStep{false, first.writes(), 0}, PatternStep{true, between.writes(), 0},
                       PatternStep{false, second_writes, 0}});
}

void CandidateFinder::try_pair(Instance pair, Instance other) {
  const Access& a = accesses_[pair.first];
  const Access& b = accesses_[pair.second];
  const bool same_direction = accesses_[other.first].location == a.location;
  const Access& with_a = accesses_[same_direction ? other.first : other.second];
  const Access& with_b = accesses_[same_direction ? other.second : other.first];
  // Updates such as those of two counters may come in any order.
  if (!a.conflicts_with(with_a) || !b.conflicts_with(with_b) || (a.is_update() && with_a.is_update()) ||
      (b.is_update() && with_b.is_update()))
    return;
  const auto try_steps = [&](const std::array<uint32_t, 4>& order) {
    std::array<PatternStep, 4> steps;
    for (size_t i = 0; i < order.size(); ++i) {
      const Access& access = accesses_[order[i]];
      // An update does not undo what another thread has written, it adds to it.
      const bool adds = access.reads() && comes_after_write(order, i);
      steps[i].is_other = access.thread != a.thread;
      steps[i].writes = access.writes() && !adds;
      steps[i].location = access.location == a.location ? 0 : 1;
    }
    try_order(order, steps);
  };
  try_steps({pair.first, other.first, other.second, pair.second});
  if (!same_direction) try_steps({pair.first, other.first, pair.second, other.second});
}

bool CandidateFinder::reads_atomically(std::span<const uint32_t> order,
                                       std::span<const PatternStep> steps) const {
  for (size_t i = 0; i < order.size(); ++i)
    if (!steps[i].writes && accesses_[order[i]].is_atomic()) return true;
  return false;
}

bool CandidateFinder::comes_after_write(std::span<const uint32_t> order, size_t i) const {
  return std::any_of(order.begin(), order.begin() + static_cast<ptrdiff_t>(i), [&](uint32_t earlier) {
    return accesses_[earlier].writes() && accesses_[earlier].conflicts_with(accesses_[order[i]]);
  });
}

// A compare-exchange after what another thread has written would have noticed.
bool CandidateFinder::would_compare_unequal(std::span<const uint32_t> order) const {
  for (size_t i = 1; i < order.size(); ++i)
    if ((accesses_[order[i]].does & Access::kCompares) != 0 && comes_after_write(order, i)) return true;
  return false;
}

bool CandidateFinder::held_between_excludes(const Access& from, const Access& to, const Access& other) const {
  const TraceModel& model = all_.model();
  const uint32_t theirs = other.lockset;
  if (!model.locksets_exclude(from.lockset, theirs) || !model.locksets_exclude(to.lockset, theirs))
    return false;
  const std::vector<HeldLock> before = model.held_at(from.event);
  for (const HeldLock& held : model.held_at(to.event)) {
    const bool all_the_time = std::any_of(before.begin(), before.end(), [&](const HeldLock& earlier) {
      return earlier.lock == held.lock && earlier.acquire == held.acquire;
    });
    if (!all_the_time) continue;
    for (const HeldLock& lock : model.lockset(theirs))
      if (held.excludes(lock)) return true;
  }
  return false;
}

bool CandidateFinder::locks_exclude(std::span<const uint32_t> order) const {
  for (size_t from = 0; from < order.size(); ++from) {
    for (size_t to = from + 2; to < order.size(); ++to) {
      if (accesses_[order[from]].thread != accesses_[order[to]].thread) continue;
      for (size_t between = from + 1; between < to; ++between) {
        if (accesses_[order[between]].thread != accesses_[order[from]].thread &&
            held_between_excludes(accesses_[order[from]], accesses_[order[to]], accesses_[order[between]]))
          return true;
      }
    }
  }
  return false;
}

void CandidateFinder::try_order(std::span<const uint32_t> order, std::span<const PatternStep> steps) {
  const AccessPattern* named = find_pattern(steps);
  // Accesses to one location that are no pattern are serializable.
  if (is_full() || (named == nullptr && order.size() == 3) || would_compare_unequal(order)) return;
  const uint32_t pattern = named != nullptr ? named->number : 0;
  if (!options_.atomic_reads && pattern != 1 && reads_atomically(order, steps)) {
    ++atomic_reads_left_out_;
    return;
  }
  ++explored_;
  uint64_t hash = hash_of({pattern, static_cast<uint64_t>(all_.set(set_).kind)});
  for (const uint32_t i : order) hash = hash_of({hash, accesses_[i].site});
  const auto [number, is_new] = group_numbers_.try_emplace(hash, groups());
  if (is_new) group_sizes_.push_back(0);
  if (group_sizes_[number->second] == kMostOfGroup || locks_exclude(order)) return;
  ++group_sizes_[number->second];

  Candidate candidate{.pattern = pattern, .group = number->second, .set = set_};
  for (const uint32_t i : order) candidate.events[candidate.length++] = accesses_[i].event;
  candidate.begin = witnesses_.begin_of(candidate.order());
  candidates_.push_back(candidate);
}

}  // namespace heddle
