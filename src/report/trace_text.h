// A trace as text, for `heddle trace dump` and `heddle trace stats`.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <string>

#include "symbolize/trace_symbols.h"
#include "trace/trace.h"

namespace heddle {

// Which events a dump shows: those for which everything given here holds.
struct DumpFilter {
  std::optional<std::string> thread;  // by name: "main/1"
  std::optional<trace::EventKind> kind;
  uint64_t first = 0;  // event numbers, both included
  uint64_t last = std::numeric_limits<uint64_t>::max();
};

// One line for each event: number, thread, kind, location, site, flags; then the outcome and who waits for
// what.
void render_trace_dump(std::ostream& out, TraceSymbols& symbols, const DumpFilter& filter = {});

// What is in the trace and how much of it.
void render_trace_stats(std::ostream& out, TraceSymbols& symbols);

}  // namespace heddle
