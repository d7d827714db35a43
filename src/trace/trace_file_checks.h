// What must hold of a trace file before anybody follows what it says. Errors name the file and the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "support/error.h"
#include "trace/trace.h"

namespace heddle::trace {

// Is the header one this version understands, and is the file all there? `bytes` are the beginning of a file
// of `size` bytes.
Expected<void> check_header(std::span<const std::byte> bytes, uint64_t size, const std::string& name);

// Tables lie within the file, after the header, aligned, and apart from each other.
Expected<void> check_tables(const TraceHeader& header, const std::string& name);

// Checks all of a trace but its events, and gives it its labels.
Expected<void> finish_trace(Trace& trace, const TraceHeader& header, const std::string& name);

// Checks some of its events, from number `first` of the table. `trace` needs no events of its own.
Expected<void> check_events(const Trace& trace, std::span<const EventRecord> events, uint64_t first,
                            const TraceHeader& header, const std::string& name);

}  // namespace heddle::trace
