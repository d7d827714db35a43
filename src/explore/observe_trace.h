// From the trace of an execution to what a search sees of it, and from a plan to a request.
#pragma once

#include <optional>
#include <vector>

#include "execute/execution.h"
#include "explore/observation.h"
#include "explore/place.h"
#include "explore/preferred_lines.h"
#include "explore/semaphore_values.h"
#include "explore/statement_table.h"
#include "explore/strategy.h"
#include "trace/schedule.h"
#include "trace/thread_tree.h"

namespace heddle {

class TraceObserver {
 public:
  // `statements`, which must outlive this, names what operations execute. Without it they are told apart by
  // their addresses: that needs no debug information to be read, but means nothing in another build.
  // `preferred`, likewise, knows which of them are preferred.
  explicit TraceObserver(StatementTable* statements = nullptr, PreferredPlaces* preferred = nullptr)
      : statements_(statements), preferred_(preferred) {}

  // `execution` must have been recorded with observing_flags(detail).
  Observation observe(const Execution& execution, Detail detail);

  // The choices that it made. Nothing if some are of a kind that plans do not have: allocations that failed.
  std::optional<std::vector<Choice>> choices_of(const Execution& execution);

  // The request that a plan asks for. It refers into this object, until the next one is asked for.
  ExecutionRequest request_for(const Plan& plan, Detail detail);

  // The threads that choices speak of.
  const trace::ThreadTree& threads() const { return schedule_.threads; }

 private:
  void observe_threads(const trace::Trace& trace);
  void observe_events(const trace::Trace& trace, Observation* seen) const;
  void name_place(const trace::Trace& trace, const trace::EventRecord& event, Operation* operation) const;
  uint64_t object_key(const trace::Trace& trace, uint32_t object) const;
  Operation pending_operation(const trace::Trace& trace, const trace::BlockedRecord& blocked) const;
  Operation operation_of(const trace::Trace& trace, const trace::EventRecord& event) const;

  StatementTable* statements_;
  PreferredPlaces* preferred_;
  trace::Schedule schedule_;       // its threads are those of the whole search
  std::vector<uint32_t> entries_;  // of the threads of the current trace
  PlaceNames places_;              // in the current trace
  std::vector<trace::AsleepRecord> asleep_;
  Guidance guidance_;
  SemaphoreValues semaphores_;
};

uint32_t observing_flags(Detail detail);

}  // namespace heddle
