// Trace files: a Trace on disk, as docs/formats.md describes it.
//
// Files are read into memory, not mapped: engines follow what was validated, and nobody can change or cut off
// that under them. Who needs events only in their order reads them as a stream (event_stream.h). A name that
// ends in ".zst" is written compressed; the reader goes by the content, not by the name.
#pragma once

#include <cstdint>
#include <string>

#include "support/error.h"
#include "trace/input_file.h"
#include "trace/trace.h"

namespace heddle::trace {

// Compressed traces are expanded in memory, so a small file must not be able to ask for all of it. 4 GiB are
// 128 million events, ten times the longest execution worth archiving; larger ones can be kept uncompressed.
inline constexpr uint64_t kMaxExpandedTrace = uint64_t{4} << 30;

// Replaces `path` in one step: readers see the old file or the new one, and a failure leaves nothing behind.
Expected<void> write_trace(const std::string& path, const Trace& trace);

// The error is one sentence that names the file and, if it is damaged, the place. "-" is the standard input.
Expected<Trace> read_trace(const std::string& path);
Expected<Trace> read_trace(InputFile file);

// A trace file that is in memory already; `name` stands for the path in errors.
Expected<Trace> read_trace_bytes(std::string bytes, const std::string& name);

}  // namespace heddle::trace
