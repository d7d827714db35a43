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
  // Of a site alone, without calls.
  uint64_t site_of(const trace::Trace& trace, uint32_t site) const;

 private:
  uint64_t add(const trace::Trace& trace, uint64_t key, uint32_t site) const;

  std::vector<uint64_t> modules_;  // their keys
};

}  // namespace heddle
