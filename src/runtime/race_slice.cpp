#include "runtime/race_slice.h"

#include "runtime/sys.h"

namespace heddle::rt {

Stamp my_begin;
detect::Epoch my_epoch;
bool shows_handed_over;
bool blind;
Transition* transitions;
Transition recent_transitions[kRecent];
bool each_its_own;
uint32_t shared_lately;
uint32_t made_lately;

namespace {

// Accesses to granules with records of their own, until sharing is tried again.
inline constexpr uint32_t kFirstTry = 1u << 15;
inline constexpr uint32_t kLastTry = 1u << 20;
uint32_t next_try = kFirstTry;

// Records made lately, by a hash of their content.
inline constexpr unsigned kMadeBits = 8;
Stamp made[1u << kMadeBits];

}  // namespace

uint32_t until_try = kFirstTry;

void decide_on_sharing() {
  each_its_own = made_lately > shared_lately;
  made_lately = shared_lately = 0;
  next_try = !each_its_own ? kFirstTry : next_try < kLastTry ? 2 * next_try : kLastTry;
  until_try = next_try;
}

void try_sharing() {
  each_its_own = false;
  made_lately = shared_lately = 0;
}

Stamp shared_record(const AccessWords* list, uint32_t count, uint16_t flags, uint16_t passes) {
  uint64_t hash = flags;
  for (uint32_t i = 0; i < count; ++i)
    hash = (hash ^ list[i].epoch ^ list[i].rest << 7 ^ list[i].rest >> 48) * 0x9e3779b97f4a7c15ull;
  Stamp& known = made[hash >> (64 - kMadeBits)];
  if ((known & kIndexMask) >= my_begin) {
    const Unit* record = record_of(known);
    bool same = record->head.count == count && record->head.flags == flags;
    for (uint32_t i = 0; same && i < count; ++i)
      same = record[1 + i].words.epoch == list[i].epoch && record[1 + i].words.rest == list[i].rest;
    if (same) {
      note_sharing(shared_lately);
      return known;
    }
  }
  note_sharing(made_lately);
  Unit* record = units + next_unit;
  record->head = {count, count, 0, flags, passes};
  for (uint32_t i = 0; i < count; ++i) record[1 + i].words = list[i];
  known = stamp_of_record(next_unit, flags, passes);
  next_unit += count + 1;
  return known;
}

void init_transitions() {
  transitions = static_cast<Transition*>(own_memory(kTransitions * sizeof(Transition)));
}

void forget_transitions() {
  fill_bytes(transitions, 0, kTransitions * sizeof(Transition));
  fill_bytes(recent_transitions, 0, sizeof(recent_transitions));
  fill_bytes(made, 0, sizeof(made));
}

}  // namespace heddle::rt
