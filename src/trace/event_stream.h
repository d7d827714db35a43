// EventStream: the events of an execution, some at a time.
//
// Detectors read streams, not traces, so that a text of more events than fit into memory can be looked at.
// An event's number is its place in the stream, from 0; for a trace that is the index into Trace::events().
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "support/error.h"
#include "trace/trace.h"

namespace heddle::trace {

class EventStream {
 public:
  virtual ~EventStream() = default;

  // The next events, none at the end. They stay where they are until the next call, and obey EventRules. An
  // error says where.
  virtual Expected<std::span<const EventRecord>> next() = 0;

  // The tables that events so far refer to: threads, sites, objects. Its own events() are those of the whole
  // stream if it can be read again, and else none.
  virtual Expected<Trace> names() const = 0;

  // The objects among them, at no cost. Valid until the next call of next().
  virtual std::span<const ObjectRecord> objects() const = 0;

  // Whether something came before the first event: then locks may be held and threads run already.
  virtual bool begins_late() const = 0;

  // What errors call it, such as the path.
  virtual const std::string& title() const = 0;
};

// All events of a trace at once.
class TraceEvents final : public EventStream {
 public:
  explicit TraceEvents(Trace trace, std::string title = "the trace")
      : trace_(std::move(trace)), title_(std::move(title)) {}

  Expected<std::span<const EventRecord>> next() override;
  Expected<Trace> names() const override { return trace_; }
  std::span<const ObjectRecord> objects() const override { return trace_.objects(); }
  bool begins_late() const override { return trace_.events_dropped() > 0; }
  const std::string& title() const override { return title_; }

 private:
  Trace trace_;
  std::string title_;
  bool done_ = false;
};

// How engines get at what others wrote. A trace file, compressed or not, or text in the std format
// (std_text.h): the content decides. "-" is the standard input. What has no events is an error, since nothing
// can be said about it, and what breaks EventRules is one too: when it is opened, or while it is read.
Expected<std::unique_ptr<EventStream>> open_events(const std::string& path);
// The same as a whole.
Expected<Trace> read_execution(const std::string& path);

enum class EventFormat { kTrace, kText };
Expected<EventFormat> format_of(const std::string& path);

}  // namespace heddle::trace
