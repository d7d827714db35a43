// validate(): may the indices in a trace be followed?
//
// Engines index tables without looking back. That is safe for traces from this module's reader and builder,
// which call this; whoever takes a trace from elsewhere (an arena that a broken program had write access to)
// calls it before using more than counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "trace/trace.h"

namespace heddle::trace {

// The first broken rule, as the end of a sentence such as "site 17 is not in the table".
struct Damage {
  TableId table = TableId::kCount;  // kCount: the outcome
  uint64_t record = 0;
  std::string what;

  std::string text() const;  // "record 5 of table events: site 17 is not in the table"
};

std::optional<Damage> validate(const Trace& trace);

// The same for a trace whose events are read some at a time: all but the events, of which there will be so
// many, and some of the events, from number `first` of the table.
std::optional<Damage> validate_tables(const Trace& trace, uint64_t events);
std::optional<Damage> validate_events(const Trace& trace, std::span<const EventRecord> events,
                                      uint64_t first);

// Engines keep something for every byte that an access covers, so a size that cannot be is not harmless.
// Nothing if these accesses are within what they access, where its size is known, or not far beyond: a
// program may write beyond the end of a block and go on.
std::optional<Damage> validate_extents(const Trace& trace, std::span<const EventRecord> events,
                                       uint64_t first);

}  // namespace heddle::trace
