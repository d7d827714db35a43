#include "explore/reads_from.h"

#include <algorithm>
#include <unordered_map>

#include "trace/hash.h"
#include "trace/reads_from.h"

namespace heddle {
namespace {

// As the runtime sees memory.
constexpr uint64_t kGranule = 8;

// Of a block that is larger only the beginning counts: where it is read or written piece by piece, the first
// pieces show it.
constexpr uint64_t kMaxGranules = 64;

// Programs whose statements meet in very many ways have more to try than time anyway.
constexpr size_t kMaxPossible = 100'000;

struct Access {
  uint32_t thread;
  uint64_t statement;

  bool operator==(const Access&) const = default;
};

// One granule in one execution.
struct Location {
  bool is_written = false;
  Access last_write{};
  std::vector<Access> reads;  // each once
  std::vector<Access> writes;
};

struct LocationKey {
  uint64_t object;
  uint64_t granule;

  bool operator==(const LocationKey&) const = default;
};

struct LocationHash {
  size_t operator()(const LocationKey& key) const {
    return (key.object ^ key.granule * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu >> 7;
  }
};

void add_once(std::vector<Access>* list, const Access& access) {
  if (std::find(list->begin(), list->end(), access) == list->end()) list->push_back(access);
}

uint64_t hash_of(const std::set<ReadsFromPair>& pairs) {
  uint64_t hash = trace::kFnvBasis;
  for (const ReadsFromPair& pair : pairs) {
    for (const uint64_t word : {pair.read, pair.write, uint64_t{pair.own}})
      hash = trace::fnv1a({reinterpret_cast<const char*>(&word), sizeof word}, hash);
  }
  return hash;
}

}  // namespace

ReadsFrom::Seen ReadsFrom::add(const Observation& execution) {
  std::unordered_map<LocationKey, Location, LocationHash> locations;
  std::set<ReadsFromPair> pairs;
  for (const ObservedStep& step : execution.steps) {
    for (const Operation& operation : step.operations) {
      const bool steerable = (operation.flags & trace::event_flag::kPoint) != 0 && operation.object != 0;
      if (!steerable || !trace::takes_part_in_reads_from(operation.kind)) continue;
      const Access access{step.chosen.thread, operation.statement};
      const uint64_t first = operation.offset / kGranule;
      const uint64_t end = (operation.offset + operation.size - 1) / kGranule + 1;
      for (uint64_t granule = first; granule < std::min(end, first + kMaxGranules); ++granule) {
        Location& location = locations[{operation.object, granule}];
        if (trace::can_read_from(operation.kind)) {
          add_once(&location.reads, access);
          pairs.insert(location.is_written ? ReadsFromPair{access.statement, location.last_write.statement,
                                                           location.last_write.thread == access.thread}
                                           : ReadsFromPair{access.statement});
        }
        if (!trace::can_be_read_from(operation.kind, operation.flags)) continue;
        add_once(&location.writes, access);
        location.is_written = true;
        location.last_write = access;
      }
    }
  }
  for (const auto& [key, location] : locations) {
    for (const Access& read : location.reads) {
      for (const Access& write : location.writes) {
        add_possible({read.statement, write.statement, read.thread == write.thread});
        if (read.thread != write.thread) add_possible({read.statement});
      }
    }
  }
  const size_t before = seen_.size();
  seen_.insert(pairs.begin(), pairs.end());
  return {hash_of(pairs), seen_.size() != before};
}

void ReadsFrom::add_possible(const ReadsFromPair& pair) {
  if (possible_.size() >= kMaxPossible || !known_possible_.insert(pair).second) return;
  possible_.push_back(pair);
  if (pair.write != 0 && !pair.own) writers_[pair.read].insert(pair.write);
}

const std::set<uint64_t>& ReadsFrom::writers(uint64_t read) const {
  static const std::set<uint64_t> kNone;
  const auto found = writers_.find(read);
  return found != writers_.end() ? found->second : kNone;
}

}  // namespace heddle
