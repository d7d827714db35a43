// TraceFileEvents: the events of a trace file, some at a time, so that a detector needs memory for its own
// findings only and looks at events while they are in the cache.
//
// Every part is checked before it is given out, and nothing is mapped: whoever changes or cuts off the file
// meanwhile gets an error or other findings, but never a crash.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/event_stream.h"
#include "trace/input_file.h"
#include "trace/recorded_order.h"

namespace heddle::trace {

class TraceFileEvents final : public EventStream {
 public:
  // A regular file, not compressed.
  static Expected<std::unique_ptr<EventStream>> open(InputFile file);

  Expected<std::span<const EventRecord>> next() override;
  // Reads the events again, which is what a report costs.
  Expected<Trace> names() const override;
  std::span<const ObjectRecord> objects() const override { return tables_.objects(); }
  bool begins_late() const override { return tables_.events_dropped() > 0; }
  const std::string& title() const override { return file_.title(); }

 private:
  TraceFileEvents(InputFile file, std::shared_ptr<const TraceHeader> header, Trace tables);
  uint64_t position_of(uint64_t event) const;

  InputFile file_;
  std::shared_ptr<const TraceHeader> header_;
  Trace tables_;  // without events
  RecordedOrder order_;
  std::vector<EventRecord> part_;
  uint64_t given_ = 0;  // events so far
};

}  // namespace heddle::trace
