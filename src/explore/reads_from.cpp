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

// A statement that several threads have executed.
struct User {
  uint64_t statement = 0;
  std::vector<uint32_t> threads;  // the first few
};

// Enough of them to see whether others do the same.
constexpr size_t kMaxThreads = 4;

// One granule in one execution.
struct Location {
  bool is_written = false;
  uint64_t last_write = 0;   // statement
  uint32_t last_writer = 0;  // thread
  std::vector<User> readers;
  std::vector<User> writers;
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

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void add_user(std::vector<User>* users, uint64_t statement, uint32_t thread) {
  auto user = std::find_if(users->begin(), users->end(),
                           [&](const User& other) { return other.statement == statement; });
  if (user == users->end()) user = users->insert(users->end(), {statement, {}});
  if (user->threads.size() < kMaxThreads && !contains(user->threads, thread)) user->threads.push_back(thread);
}

bool share_a_thread(const User& a, const User& b) {
  return std::any_of(a.threads.begin(), a.threads.end(),
                     [&](uint32_t thread) { return contains(b.threads, thread); });
}

bool are_one_thread(const User& a, const User& b) {
  return a.threads.size() == 1 && a.threads == b.threads;
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
      const uint32_t thread = step.chosen.thread;
      const uint64_t statement = operation.place;
      const uint64_t first = operation.offset / kGranule;
      const uint64_t end = (operation.offset + operation.size - 1) / kGranule + 1;
      for (uint64_t granule = first; granule < std::min(end, first + kMaxGranules); ++granule) {
        Location& location = locations[{operation.object, granule}];
        if (trace::can_read_from(operation.kind)) {
          add_user(&location.readers, statement, thread);
          const bool own = location.is_written && location.last_writer == thread;
          pairs.insert({statement, location.last_write, own});
        }
        if (!trace::can_be_read_from(operation.kind, operation.flags)) continue;
        add_user(&location.writers, statement, thread);
        location.is_written = true;
        location.last_write = statement;
        location.last_writer = thread;
      }
    }
  }
  for (const auto& [key, location] : locations) {
    for (const User& reader : location.readers) {
      for (const User& writer : location.writers) {
        if (share_a_thread(reader, writer)) add_possible({reader.statement, writer.statement, true});
        if (are_one_thread(reader, writer)) continue;
        add_possible({reader.statement, writer.statement, false});
        add_possible({reader.statement});
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
