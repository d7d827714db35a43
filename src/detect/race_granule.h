// Granule: who has accessed eight bytes of memory, as far as that can still matter to a race.
//
// This is FastTrack's shadow word with two refinements: accesses know which of the eight bytes they touched,
// so neighbours of one word do not race, and a list takes the place of the one epoch as long as accesses are
// not ordered. An access is forgotten as soon as a later one that it is ordered before conflicts with
// everything it conflicts with; so in a program without races the list has one write or some reads.
//
// Compiled into the runtime as well: no library, no exceptions, memory from the caller.
#pragma once

#include <cstdint>

namespace heddle::detect {

// The interval `clock` of thread `thread`: what it did between two of its releases.
struct Epoch {
  uint32_t thread = 0;
  uint32_t clock = 0;

  bool operator==(const Epoch&) const = default;
};

struct PastAccess {
  enum Flag : uint8_t { kWrites = 1, kAtomic = 2, kFrees = 4 };

  Epoch epoch;
  uint64_t where : 48 = 0;  // the caller's: which event or place it was
  uint64_t bytes : 8 = 0;   // a bit for each byte of the granule
  uint64_t flags : 8 = 0;

  bool writes() const { return (flags & kWrites) != 0; }
  bool is_atomic() const { return (flags & kAtomic) != 0; }
  bool frees() const { return (flags & kFrees) != 0; }
  bool same_interval(const PastAccess& other) const { return epoch == other.epoch; }
  bool conflicts_with(const PastAccess& other) const {
    return (bytes & other.bytes) != 0 && (writes() || other.writes()) && !(is_atomic() && other.is_atomic());
  }
  // Whatever conflicts with `other` conflicts with this.
  bool covers(const PastAccess& other) const {
    return (other.bytes & ~bytes) == 0 && (writes() || !other.writes()) &&
           (!is_atomic() || other.is_atomic()) && frees() >= other.frees();
  }
};
static_assert(sizeof(PastAccess) == 16);

// What becomes of the list of past accesses when the running thread makes one: drops those that `now` makes
// needless, and says whether `now` has to be added to the rest. `order.knows(epoch)`: whether the running
// thread is ordered after that interval. `on_conflict(past, ordered)` is called for each conflicting access
// of another thread; it is a race if the two are not ordered. `Access` is PastAccess or something made from
// it that remembers more.
template <typename Access, typename Order, typename OnConflict>
inline bool note_access(Access* list, uint32_t* count, const Access& now, const Order& order,
                        OnConflict&& on_conflict) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; ++i) {
    const Access& past = list[i];
    if (past.same_interval(now) && past.covers(now)) {
      if (kept != i) {
        while (i < *count) list[kept++] = list[i++];
        *count = kept;
      }
      return false;
    }
    const bool mine = past.epoch.thread == now.epoch.thread;
    const bool ordered = mine || order.knows(past.epoch);
    if (!mine && past.conflicts_with(now)) on_conflict(past, ordered);
    if (ordered && now.covers(past)) continue;
    if (kept != i) list[kept] = past;
    kept++;
  }
  *count = kept;
  return true;
}

// A list that begins within the granule. For the tool: the runtime has its own.
template <typename Access>
class Granule {
 public:
  // The running thread makes an access; `order` as above. `room.allocate(n)` and `room.free(list, n)` deal in
  // arrays of n Access, n a power of two above 2. `on_race(past)` is called for each earlier access that
  // races with this one.
  template <typename Order, typename Room, typename OnRace>
  [[gnu::always_inline]] void access(const Access& now, const Order& order, Room& room, OnRace&& on_race) {
    if (!has_writes_ && !now.writes() && note_read(now)) return;
    const auto on_conflict = [&](const Access& past, bool ordered) {
      if (!ordered) on_race(past);
    };
    if (!note_access(begin(), &count_, now, order, on_conflict)) return;
    has_writes_ |= now.writes();
    if (count_ == 0) has_writes_ = now.writes();
    if (count_ == kMost) forget_half();
    if (count_ == capacity()) grow(room);
    begin()[count_++] = now;
  }

  // The memory begins a new life.
  template <typename Room>
  void clear(Room& room) {
    if (room_bits_ != 0) room.free(list_, capacity());
    count_ = 0;
    room_bits_ = 0;
    has_writes_ = false;
  }

  uint32_t size() const { return count_; }
  const Access* begin() const { return room_bits_ == 0 ? own_ : list_; }
  const Access* end() const { return begin() + count_; }

 private:
  static constexpr uint32_t kOwn = 2;
  // More than this many accesses that are not ordered have been reported as races, or are reads by as many
  // threads; the oldest are forgotten then, or each access would take as long as there are threads.
  static constexpr uint32_t kMost = 256;

  Access* begin() { return room_bits_ == 0 ? own_ : list_; }
  uint32_t capacity() const { return room_bits_ == 0 ? kOwn : 1u << room_bits_; }

  // A read among reads: none of them races with it, so only what its own thread did is looked for. False: the
  // list is full and should be looked through for what can be forgotten.
  bool note_read(const Access& now) {
    Access* list = begin();
    for (uint32_t i = 0; i < count_; ++i) {
      if (list[i].epoch.thread != now.epoch.thread) continue;
      if (list[i].same_interval(now) && list[i].covers(now)) return true;
      if (!now.covers(list[i])) continue;
      list[i] = now;
      return true;
    }
    if (count_ == capacity()) return false;
    list[count_++] = now;
    return true;
  }

  void forget_half() {
    Access* list = begin();
    for (uint32_t i = 0; i < kMost / 2; ++i) list[i] = list[i + kMost / 2];
    count_ = kMost / 2;
  }

  template <typename Room>
  void grow(Room& room) {
    const uint32_t had = capacity();
    Access* list = room.allocate(had * 2);
    const Access* old = begin();
    for (uint32_t i = 0; i < count_; ++i) list[i] = old[i];
    if (room_bits_ != 0) room.free(list_, had);
    list_ = list;
    room_bits_ = static_cast<uint8_t>(room_bits_ == 0 ? 2 : room_bits_ + 1);
  }

  uint32_t count_ = 0;
  uint8_t room_bits_ = 0;    // the list has room for 2^room_bits_; 0: it is in `own_`
  bool has_writes_ = false;  // may have
  union {
    Access own_[kOwn] = {};
    Access* list_;
  };
};

}  // namespace heddle::detect
