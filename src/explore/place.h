// Place: the key of a place in the machine code with its calling context, as the runtime names it.
//
// Operation::place of an observation and the targets of a search (target.h) are such keys. An engine that has
// found something in a trace gets the key of an event here; it means the same in every execution of the same
// build.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace heddle {

class PlaceNames {
 public:
  PlaceNames() = default;
  explicit PlaceNames(const trace::Trace& trace);

  // `event` belongs to `trace`, from which this was made.
  uint64_t place_of(const trace::Trace& trace, const trace::EventRecord& event) const;

 private:
  std::vector<uint64_t> modules_;  // their keys
};

}  // namespace heddle
