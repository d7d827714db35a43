#include "runtime/happens_before.h"

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/recorder.h"
#include "runtime/sys.h"

namespace heddle::rt {

HEDDLE_WORLD uint32_t* known_before;
HEDDLE_WORLD uint32_t known_before_size;

namespace {

using trace::EventKind;

// Vectors come in powers of two and go back to a list of their size.
inline constexpr uint32_t kFirstSize = 8;
inline constexpr size_t kSizeClasses = 18;  // up to a place for each of kMaxFibers threads
struct FreeVector {
  FreeVector* next;
};
FreeVector* free_vectors[kSizeClasses];

size_t size_class(uint32_t size) {
  return static_cast<size_t>(__builtin_ctz(size));
}

uint32_t* new_vector(uint32_t size) {
  FreeVector*& list = free_vectors[size_class(size)];
  if (list == nullptr) return static_cast<uint32_t*>(own_memory(size * sizeof(uint32_t)));
  auto* vector = reinterpret_cast<uint32_t*>(list);
  list = list->next;
  for (uint32_t i = 0; i < size; ++i) vector[i] = 0;
  return vector;
}

void free_vector(uint32_t* vector, uint32_t size) {
  if (vector == nullptr) return;
  auto* entry = reinterpret_cast<FreeVector*>(vector);
  FreeVector*& list = free_vectors[size_class(size)];
  entry->next = list;
  list = entry;
}

void grow(uint32_t** vector, uint32_t* size, uint32_t wanted) {
  uint32_t larger = *size == 0 ? kFirstSize : *size;
  while (larger < wanted) larger *= 2;
  if (larger == *size) return;
  uint32_t* fresh = new_vector(larger);
  for (uint32_t i = 0; i < *size; ++i) fresh[i] = (*vector)[i];
  free_vector(*vector, *size);
  *vector = fresh;
  *size = larger;
}

// Changes with every gain of knowledge; see is_known_to_all().
HEDDLE_EXECUTION uint64_t generation = 1;

// True if that changed anything.
bool join_into(uint32_t** to, uint32_t* to_size, const uint32_t* from, uint32_t from_size) {
  if (from_size > *to_size) grow(to, to_size, from_size);
  bool changed = false;
  for (uint32_t i = 0; i < from_size; ++i) {
    if (from[i] <= (*to)[i]) continue;
    (*to)[i] = from[i];
    changed = true;
  }
  return changed;
}

void learn_from(Fiber* fiber, const uint32_t* from, uint32_t size) {
  if (join_into(&fiber->known, &fiber->known_size, from, size)) generation++;
}

// What has been passed on through one object.
struct Message {
  uintptr_t object;  // 0: unused entry
  uint32_t* known;
  uint32_t size;
  uint32_t execution;  // in which it was passed on
};

// Open addressing; objects of one cache line have the same home, so that a range is forgotten line by line.
HEDDLE_WORLD Message* messages;
HEDDLE_WORLD size_t message_mask;
HEDDLE_WORLD size_t message_count;
inline constexpr size_t kFirstMessages = 64;
inline constexpr unsigned kLineBits = 6;

size_t home_of(uintptr_t object) {
  return static_cast<size_t>((object >> kLineBits) * 0x9e3779b97f4a7c15ull >> 24) & message_mask;
}

Message* probe(uintptr_t object) {
  size_t at = home_of(object);
  while (messages[at].object != object && messages[at].object != 0) at = (at + 1) & message_mask;
  return &messages[at];
}

Message* find_message(uintptr_t object) {
  if (message_count == 0) return nullptr;
  Message* message = probe(object);
  return message->object != 0 && message->execution == rt.execution ? message : nullptr;
}

Message* make_message(uintptr_t object) {
  if (messages == nullptr || message_count * 2 > message_mask) {
    Message* old = messages;
    const size_t old_count = old != nullptr ? message_mask + 1 : 0;
    const size_t count = old != nullptr ? old_count * 2 : kFirstMessages;
    messages = static_cast<Message*>(own_memory(count * sizeof(Message)));
    message_mask = count - 1;
    for (size_t i = 0; i < old_count; ++i) {
      if (old[i].object != 0) *probe(old[i].object) = old[i];
    }
    if (old != nullptr) drop_own_memory(old, old_count * sizeof(Message));
  }
  Message* message = probe(object);
  if (message->object == 0) {
    message->object = object;
    message_count++;
  }
  if (message->execution != rt.execution) {
    message->execution = rt.execution;
    for (uint32_t i = 0; i < message->size; ++i) message->known[i] = 0;
  }
  return message;
}

void remove(Message* message) {
  free_vector(message->known, message->size);
  message_count--;
  // Close the gap, so that later probes need no tombstones.
  size_t hole = static_cast<size_t>(message - messages);
  for (size_t at = (hole + 1) & message_mask; messages[at].object != 0; at = (at + 1) & message_mask) {
    const size_t home = home_of(messages[at].object);
    if (((at - home) & message_mask) >= ((at - hole) & message_mask)) {
      messages[hole] = messages[at];
      hole = at;
    }
  }
  messages[hole] = {};
}

// A place for a thread's intervals, which other threads get when it has ended.
struct Slot {
  bool used;
  uint32_t last_interval;  // of the threads that have left it
  // All live threads know the intervals up to this one, as of `floor_generation`.
  uint32_t floor;
  uint64_t floor_generation;
};
HEDDLE_WORLD LazyArray<Slot, kMaxFibers> slots;
HEDDLE_WORLD uint32_t slots_end;  // above every slot ever used

void leave_slot(uint32_t slot, uint32_t last_interval) {
  slots[slot].used = false;
  slots[slot].last_interval = last_interval;
}

// The shadow of executions without detection has little room for slots and numbers.
uint32_t slot_limit() {
  return detecting() ? static_cast<uint32_t>(kMaxFibers) : kCrowdSlot;
}
uint32_t interval_limit() {
  return detecting() ? ~0u : kLastInterval;
}

uint32_t find_slot(const Fiber* creator) {
  for (uint32_t i = 0; i < slots_end; ++i) {
    const Slot& slot = slots[i];
    if (!slot.used && i < creator->known_size && slot.last_interval <= creator->known[i] &&
        slot.last_interval + 1 < interval_limit()) {
      return i;
    }
  }
  return slots_end < slot_limit() ? slots_end++ : kNoSlot;
}

// What the current thread does from here on is not part of what it has passed on.
void begin_interval(Fiber* fiber) {
  if (fiber->slot == kNoSlot) return;
  if (++fiber->known[fiber->slot] == interval_limit()) fiber->slot = kNoSlot;
  if (fiber == rt.current) begin_slice();
}

// Readers of a reader-writer lock pass on what the next writer must know, but not the next reader. A lock is
// larger than a byte, so this address is no other object's.
uintptr_t readers_of(uintptr_t lock) {
  return lock + 1;
}

// Signals pass on knowledge through one object: who gets one that is sent to the process is settled late. Not
// a canonical address, so no memory has it.
inline constexpr uintptr_t kAllSignals = uintptr_t{1} << 62;

// What the only thread knew when the program became multithreaded.

}  // namespace

void order_begin_execution() {
  for (uint32_t i = 0; i < slots_end; ++i) slots[i] = {};
  slots_end = 0;
  for (uint32_t i = 0; i < known_before_size; ++i) known_before[i] = 0;
}

void order_begin(Fiber* fiber, Fiber* parent) {
  fiber->slot = 0;
  if (parent == nullptr) {
    slots_end = 1;
  } else {
    fiber->slot = find_slot(parent);
    learn_from(fiber, parent->known, parent->known_size);
  }
  if (fiber->slot != kNoSlot) {
    grow(&fiber->known, &fiber->known_size, fiber->slot + 1);
    slots[fiber->slot].used = true;
    fiber->known[fiber->slot]++;
  }
  if (parent != nullptr) begin_interval(parent);
}

void order_end(Fiber* fiber) {
  if (fiber->slot != kNoSlot) leave_slot(fiber->slot, fiber->known[fiber->slot]);
  generation++;
}

void order_recycle(Fiber* fiber) {
  free_vector(fiber->at_fence, fiber->at_fence_size);
  free_vector(fiber->fenced, fiber->fenced_size);
}

void order_release_to(Fiber* to) {
  if (!rt.multithreaded) return;
  learn_from(to, rt.current->known, rt.current->known_size);
  begin_interval(rt.current);
}

void order_join(const Fiber* from) {
  learn_from(rt.current, from->known, from->known_size);
}

void order_acquire(uintptr_t object) {
  if (const Message* message = find_message(object)) learn_from(rt.current, message->known, message->size);
}

void order_release(uintptr_t object, bool forget_earlier) {
  Message* message = make_message(object);
  if (forget_earlier) {
    for (uint32_t i = 0; i < message->size; ++i) message->known[i] = 0;
  }
  join_into(&message->known, &message->size, rt.current->known, rt.current->known_size);
  begin_interval(rt.current);
}

namespace {

// What the rules of detect/order_rules.h do to the running thread.
struct Rules {
  void acquire(uintptr_t object) { order_acquire(object); }
  void release(uintptr_t object, bool anew) { order_release(object, anew); }
  void acquire_readers(uintptr_t lock) { order_acquire(readers_of(lock)); }
  void release_readers(uintptr_t lock) { order_release(readers_of(lock)); }
  void forget(uintptr_t object) { order_forget(object, 2); }

  void acquire_at_fence(uintptr_t location) {
    Fiber* self = rt.current;
    if (const Message* message = find_message(location))
      join_into(&self->at_fence, &self->at_fence_size, message->known, message->size);
  }
  void acquire_fence() {
    Fiber* self = rt.current;
    learn_from(self, self->at_fence, self->at_fence_size);
  }
  void release_fence() {
    Fiber* self = rt.current;
    join_into(&self->fenced, &self->fenced_size, self->known, self->known_size);
    begin_interval(self);
  }
  void release_fenced(uintptr_t location, bool anew) {
    const Fiber* self = rt.current;
    if (self->fenced_size == 0 && find_message(location) == nullptr) return;
    Message* message = make_message(location);
    if (anew) {
      for (uint32_t i = 0; i < message->size; ++i) message->known[i] = 0;
    }
    join_into(&message->known, &message->size, self->fenced, self->fenced_size);
  }
};

}  // namespace

void order_atomic_slow(uintptr_t location, bool reads, bool writes, trace::MemoryOrder order) {
  if (HEDDLE_UNLIKELY(rt.current->ignored_sync != 0)) return;
  if (!detecting()) order = trace::MemoryOrder::kSeqCst;
  Rules rules;
  detect::order_atomic(rules, location, reads, writes, order);
}

void order_fence(int order) {
  if (!rt.multithreaded || !detecting()) return;
  Rules rules;
  detect::order_fence(rules, static_cast<trace::MemoryOrder>(order));
}

void order_sync_slow(EventKind kind, uintptr_t object, uint16_t flags) {
  Rules rules;
  if (kind == EventKind::kSignalSend)
    order_release(kAllSignals);
  else if (kind == EventKind::kSignal)
    order_acquire(kAllSignals);
  else if (object != 0 && kind != EventKind::kBarrierLeave)  // who lets it go has passed on all there is
    detect::order_sync(rules, kind, flags, object);
}

void order_forget(uintptr_t address, size_t size) {
  if (message_count == 0 || size == 0) return;
  const uintptr_t end = address + size;
  const size_t lines = (end - 1) / 64 - address / 64 + 1;
  if (lines > message_mask) {
    for (size_t i = 0; i <= message_mask; ++i) {
      while (messages[i].object >= address && messages[i].object < end) remove(&messages[i]);
    }
    return;
  }
  for (size_t line = 0; line < lines; ++line) {
    size_t at = home_of(address + line * 64);
    while (messages[at].object != 0) {
      if (messages[at].object >= address && messages[at].object < end)
        remove(&messages[at]);
      else
        at = (at + 1) & message_mask;
    }
  }
}

void order_threads_begin() {
  const Fiber* self = rt.current;
  join_into(&known_before, &known_before_size, self->known, self->known_size);
}

bool is_known_to_all(uint32_t slot, uint32_t interval) {
  if (slot >= kCrowdSlot) return false;
  Slot& place = slots[slot];
  if (interval <= place.floor) return true;  // knowledge only grows
  if (place.floor_generation == generation) return false;
  uint32_t least = kLastInterval;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    const Fiber* fiber = rt.live[i];
    const uint32_t known = slot < fiber->known_size ? fiber->known[slot] : 0;
    if (known < least) least = known;
  }
  place.floor = least;
  place.floor_generation = generation;
  return interval <= least;
}

}  // namespace heddle::rt
