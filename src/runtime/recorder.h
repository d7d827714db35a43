// Writes what happens into the arena's tables.
//
// Sites, contexts and objects get their index on first use; the hash tables that map machine addresses to
// them are private to the process, what the tool reads contains no address.
#pragma once

#include "runtime/access.h"
#include "runtime/heap.h"
#include "runtime/runtime.h"

namespace heddle::rt {

struct EventSpec {
  trace::EventKind kind;
  uintptr_t pc = 0;
  uintptr_t address = 0;  // location or synchronisation object; 0: none
  uint32_t size_or_peer = 0;
  uint16_t flags = 0;
  uint8_t order = 0;
};

inline bool recording() {
  return (rt.request.flags & trace::request_flag::kRecordEvents) != 0;
}

inline bool detecting() {
  return (rt.request.flags & trace::request_flag::kDetectRaces) != 0;
}

void recorder_init();
void recorder_prepare_execution();
// Sites, contexts and modules keep their numbers; all the rest is recorded anew.
void recorder_begin_execution();
// Of the events, as far as they are kept, with all that they refer to: the same if the same has happened.
uint64_t recorded_hash();
// The strings so far are those of modules.
void keep_strings();

void record_event_slow(const EventSpec& event);
inline void record_event(const EventSpec& event) {
  if (recording()) record_event_slow(event);
}
inline void record_access(const Access& access, uint16_t flags) {
  if (!recording()) return;
  record_event_slow({.kind = access.kind(),
                     .pc = access.pc,
                     .address = access.address,
                     .size_or_peer = access.shape.size,
                     .flags = static_cast<uint16_t>(access.shape.flags | flags)});
}
void record_allocation(trace::EventKind kind, HeapObject* object, uintptr_t pc, uint16_t flags = 0);
void record_failed_allocation(size_t size, uintptr_t pc);
void record_thread(const Fiber& fiber);
// The program says that a piece of memory belongs to the atomic set `name`.
void record_atomic_set(const char* name, uintptr_t address, size_t size, uintptr_t pc);

uint32_t site_of(uintptr_t pc);     // return address → index in the site table
uint32_t context_of(Fiber* fiber);  // its current calling context
uint32_t record_string(const char* text);
struct Location {
  uint32_t object;
  uint64_t offset;
};
Location location_of(uintptr_t address);

// The context of the current thread if a report may need it, else 0 (contexts cost a table look-up).
inline uint32_t recorded_context() {
  return (recording() || detecting()) && rt.current != nullptr ? context_of(rt.current) : 0;
}
// Hash of the allocation site and its calling context.
uint64_t allocation_key(uintptr_t pc);

}  // namespace heddle::rt
