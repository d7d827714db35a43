// detect(): what went wrong, or could have, in one execution. docs/detect.md says what each method promises.
#pragma once

#include <cstdint>

#include "detect/detection.h"
#include "detect/relevance.h"
#include "support/error.h"
#include "trace/event_stream.h"

namespace heddle::detect {

struct DetectOptions {
  bool races = true;       // by happens-before, with use after free
  bool reads_from = true;  // says of each race whether SHB leaves it possible
  bool lock_set = true;
  bool hybrid = true;
  bool lock_order = true;

  // Happens-before and hybrid pass over accesses that are not compared; the others look at all.
  Relevances relevances;

  size_t most_findings = 10'000;            // kept of each sort
  uint64_t most_bytes = uint64_t{4} << 30;  // needing more is an error
};

// Reads the stream to its end.
Expected<Detections> detect(trace::EventStream& stream, const DetectOptions& options = {});

}  // namespace heddle::detect
