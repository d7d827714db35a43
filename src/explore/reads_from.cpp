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

using LockKey = std::pair<uint64_t, uint64_t>;  // object and offset
using Locks = std::vector<LockKey>;

// When a thread has executed a statement, in steps.
struct Use {
  uint32_t thread = 0;
  uint64_t first = 0;
  uint64_t last = 0;
};

// A statement.
struct User {
  uint64_t statement = 0;
  std::vector<Use> uses;  // of the first few threads
  Locks locks;            // held each time
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

// What comes before what because threads are created and joined.
class Lives {
 public:
  void note(const Operation& operation, uint32_t thread, uint64_t step) {
    if (operation.kind == trace::EventKind::kFork) created_[operation.peer] = {thread, step};
    if (operation.kind == trace::EventKind::kJoin) joined_[operation.peer] = {thread, step};
  }

  bool precedes(uint32_t thread, uint64_t step, uint32_t later_thread, uint64_t later_step) const {
    if (thread == later_thread) return step < later_step;
    for (auto life = created_.find(later_thread); life != created_.end();
         life = created_.find(life->second.thread)) {
      if (life->second.thread == thread && life->second.step > step) return true;
    }
    const auto end = joined_.find(thread);
    return end != joined_.end() && end->second.step > step &&
           precedes(end->second.thread, end->second.step, later_thread, later_step);
  }

 private:
  struct Moment {
    uint32_t thread = 0;
    uint64_t step = 0;
  };
  std::map<uint32_t, Moment> created_;
  std::map<uint32_t, Moment> joined_;
};

template <typename List, typename Value>
bool contains(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void add_user(std::vector<User>* users, uint64_t statement, uint32_t thread, uint64_t step,
              const Locks& held) {
  auto user = std::find_if(users->begin(), users->end(),
                           [&](const User& other) { return other.statement == statement; });
  if (user == users->end()) user = users->insert(users->end(), {statement, {}, held});
  std::erase_if(user->locks, [&](const LockKey& lock) { return !contains(held, lock); });
  const auto use = std::find_if(user->uses.begin(), user->uses.end(),
                                [&](const Use& other) { return other.thread == thread; });
  if (use != user->uses.end())
    use->last = step;
  else if (user->uses.size() < kMaxThreads)
    user->uses.push_back({thread, step, step});
}

// Whether the one can read what the other has written in the same thread, or in another one.
bool can_read(const User& reader, const User& writer, bool own, const Lives& lives) {
  for (const Use& read : reader.uses) {
    for (const Use& write : writer.uses) {
      if ((read.thread == write.thread) != own || (own && write.first >= read.last)) continue;
      if (!lives.precedes(read.thread, read.last, write.thread, write.first)) return true;
    }
  }
  return false;
}

bool can_read_first(const User& reader, const Location& location, const Lives& lives) {
  return std::any_of(reader.uses.begin(), reader.uses.end(), [&](const Use& read) {
    return std::none_of(location.writers.begin(), location.writers.end(), [&](const User& writer) {
      return std::any_of(writer.uses.begin(), writer.uses.end(), [&](const Use& write) {
        return lives.precedes(write.thread, write.first, read.thread, read.first);
      });
    });
  });
}

bool share_a_lock(const User& a, const User& b) {
  return std::any_of(a.locks.begin(), a.locks.end(),
                     [&](const LockKey& lock) { return contains(b.locks, lock); });
}

// After the operation.
void note_locks(const Operation& operation, Locks* held) {
  if ((operation.flags & (trace::event_flag::kFailed | trace::event_flag::kRecursive)) != 0) return;
  const LockKey lock{operation.object, operation.offset};
  switch (operation.kind) {
    case trace::EventKind::kLock:
    case trace::EventKind::kTryLock:
    case trace::EventKind::kReadLock:
    case trace::EventKind::kTryReadLock:
      held->push_back(lock);
      break;
    case trace::EventKind::kUnlock:
    case trace::EventKind::kReadUnlock:
      if (const auto found = std::find(held->begin(), held->end(), lock); found != held->end())
        held->erase(found);
      break;
    default:
      break;
  }
}

using Locations = std::unordered_map<LocationKey, Location, LocationHash>;

void note_access(const Operation& operation, uint32_t thread, uint64_t step, const Locks& held,
                 Locations* locations, std::set<ReadsFromPair>* pairs) {
  const uint64_t first = operation.offset / kGranule;
  const uint64_t end = (operation.offset + operation.size - 1) / kGranule + 1;
  for (uint64_t granule = first; granule < std::min(end, first + kMaxGranules); ++granule) {
    Location& location = (*locations)[{operation.object, granule}];
    if (trace::can_read_from(operation.kind)) {
      add_user(&location.readers, operation.place, thread, step, held);
      const bool own = location.is_written && location.last_writer == thread;
      pairs->insert({operation.place, location.last_write, own});
    }
    if (!trace::can_be_read_from(operation.kind, operation.flags)) continue;
    add_user(&location.writers, operation.place, thread, step, held);
    location.is_written = true;
    location.last_write = operation.place;
    location.last_writer = thread;
  }
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
  Locations locations;
  Seen shown;
  Lives lives;
  std::map<uint32_t, Locks> held;  // by thread
  uint64_t number = 0;
  for (const ObservedStep& step : execution.steps) {
    Locks& locks = held[step.chosen.thread];
    for (const Operation& operation : step.operations) {
      const bool is_point = (operation.flags & trace::event_flag::kPoint) != 0 && operation.object != 0;
      if (is_point && trace::takes_part_in_reads_from(operation.kind))
        note_access(operation, step.chosen.thread, number, locks, &locations, &shown.pairs);
      note_locks(operation, &locks);
      lives.note(operation, step.chosen.thread, number++);
    }
  }
  for (const auto& [key, location] : locations) {
    for (const User& reader : location.readers) {
      bool has_writers = false;  // that nothing keeps from being before or after it
      for (const User& writer : location.writers) {
        if (share_a_lock(reader, writer)) continue;
        if (can_read(reader, writer, true, lives)) add_possible({reader.statement, writer.statement, true});
        if (!can_read(reader, writer, false, lives)) continue;
        add_possible({reader.statement, writer.statement, false});
        has_writers = true;
      }
      if (has_writers && can_read_first(reader, location, lives)) add_possible({reader.statement});
    }
  }
  const size_t before = seen_.size();
  seen_.insert(shown.pairs.begin(), shown.pairs.end());
  shown.combination = hash_of(shown.pairs);
  shown.is_new = seen_.size() != before;
  return shown;
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
