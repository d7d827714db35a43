// Hand-written executions of one small program, bank.cpp, that fail in every way a report knows.
#pragma once

#include <string>

#include "../symbolize/fake_symbolizer.h"
#include "trace/trace.h"

namespace heddle {

// The names and the text of bank.cpp.
FakeSymbolizer bank_symbols();
std::string bank_source();

// main/1 locks a then b, main/2 locks b then a; main joins them. `shifted` moves all of it down by that many
// lines, and `swapped` lets the second thread come first.
trace::Trace deadlock_trace(uint32_t shifted = 0, bool swapped = false);
// Three threads in a circle, locks on the heap and the stack, five bystanders.
trace::Trace circle_trace();
trace::Trace self_deadlock_trace();
trace::Trace lost_wakeup_trace();
// A consumer that is woken by nobody and gets no memory.
trace::Trace injected_trace();
// Two consumers and a producer wait on one condition: the notify that was meant for the producer, or for the
// second consumer, wakes one that has no use for it.
trace::Trace stolen_wakeup_trace(bool consumer_is_victim = false);
// A lost update, seen by main's assertion.
trace::Trace assertion_trace();
trace::Trace crash_trace();
trace::Trace exception_trace();
trace::Trace livelock_trace();
trace::Trace misuse_trace();
trace::Trace exit_code_trace();
// The deadlock after a thousand rounds in which nothing bad happens.
trace::Trace long_trace();

}  // namespace heddle
