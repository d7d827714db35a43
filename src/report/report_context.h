// ReportContext: how things are named within one report.
//
// Names are stable in a report: a lock without a name of its own is "mutex A" wherever it is mentioned, and
// what it is stands in brackets the first time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/event_counts.h"
#include "report/held_locks.h"
#include "symbolize/source_files.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

// A code position with its calling context.
struct Place {
  uint32_t site = 0;
  uint32_t context = 0;
  bool is_exact = true;  // false: the last known place before the one meant
};

// What reports of one trace have in common: it takes time to find, so who tells many findings of a trace
// makes this once. Both must outlive it.
struct TraceFacts {
  TraceFacts(const trace::Trace& trace, Symbolizer& symbolizer)
      : symbols(trace, symbolizer), locks(trace), counts(trace) {}

  TraceSymbols symbols;
  HeldLocks locks;
  EventCounts counts;
};

class ReportContext {
 public:
  // Paths below `directory` are shown relative to it.
  ReportContext(const trace::Trace& trace, Symbolizer& symbolizer, std::string directory = {});
  explicit ReportContext(std::shared_ptr<TraceFacts> facts, std::string directory = {});

  const trace::Trace& trace() const { return symbols.trace(); }

  // "at bank.cpp:21 in transfer:  g2.lock();", as much of it as is known; "after …" if it is not exact.
  std::string place_text(const Place& place);

  // The place of a thread that is known to be at `place` at the end. Inside a system library that says
  // little: then it is the last operation of the function that called into the library.
  Place user_place(uint32_t thread, const Place& place) const;

  // "src/bank.cpp", as it is shown.
  std::string path(const std::string& file) const;

  // "src/bank.cpp:21", or the function's name if there is no file.
  std::string path_line(const Frame& frame) const;

  // "#0 transfer src/bank.cpp:21", one line for each frame, down to the thread's own function.
  std::vector<std::string> stack_lines(const std::vector<StackFrame>& stack) const;

  // "mutex `account_lock`", or "mutex A (a variable on the stack of main)" and from then on "mutex A".
  std::string object_name(std::string_view noun, uint32_t object, uint64_t offset);

  std::string thread(uint32_t index) const { return symbols.thread_text(index); }

  // The locks that the thread of an event held before it.
  std::vector<LockAtEvent> locks_held_at(uint64_t event) const { return facts_->locks.at(event); }

  // By thread, from one event up to another.
  std::map<uint32_t, size_t> events_between(size_t begin, size_t end) const {
    return facts_->counts.between(begin, end);
  }

  TraceSymbols& symbols;
  SourceFiles& sources;

 private:
  bool is_caller(uint32_t ancestor, uint32_t context) const;

  std::shared_ptr<TraceFacts> facts_;
  std::string directory_;
  std::map<std::pair<uint32_t, uint64_t>, std::string> letters_;
};

}  // namespace heddle
