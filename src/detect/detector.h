// Detector: looks at events one after the other and says at the end what it found.
#pragma once

#include <cstdint>
#include <span>

#include "detect/detection.h"
#include "trace/dependence.h"
#include "trace/layout.h"

namespace heddle::detect {

class Detector {
 public:
  virtual ~Detector() = default;

  // The next events of the stream; `first` is the number of the first of them.
  virtual void add(std::span<const trace::EventRecord> events, uint64_t first) = 0;
  // Adds its findings. Called once, after the last event.
  virtual void finish(Detections& found) = 0;
  // Memory in use.
  virtual uint64_t bytes() const = 0;
};

inline Side side_of(const trace::EventRecord& event, uint64_t number) {
  return {.event = number,
          .thread = event.thread,
          .site = event.site,
          .context = event.context,
          .kind = event.kind,
          .size = trace::has_extent(event.kind) ? event.size : 0,  // else the field means something else
          .offset = event.offset};
}

}  // namespace heddle::detect
