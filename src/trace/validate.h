// validate(): may the indices in a trace be followed?
//
// Engines index tables without looking back. That is safe for traces from this module's reader and builder,
// which call this; whoever takes a trace from elsewhere (an arena that a broken program had write access to)
// calls it before using more than counts.
#pragma once

#include <cstdint>
#include <optional>
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

}  // namespace heddle::trace
