// The words that people read for the numbers in a trace: kinds, orders, and the names of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/arena.h"
#include "trace/layout.h"

namespace heddle::trace {

// A value outside the enumeration gives "unknown".
std::string_view to_text(EventKind kind);
std::string_view to_text(OutcomeKind kind);
std::string_view to_text(PolicyKind kind);
std::string_view to_text(ObjectKind kind);
std::string_view to_text(MemoryOrder order);
std::string_view to_text(StepKind kind);
std::string_view to_text(PointKind kind);
std::string_view to_text(PointGrade grade);
std::string_view to_text(WaitKind kind);
std::string_view to_text(TableId table);

std::optional<OutcomeKind> parse_outcome_kind(std::string_view text);

// The stable name of a thread: the path of creation order, such as "main", "main/1", "main/1/2". A table that
// breaks the rule "parents come first" gives "main/?/2" instead of an endless walk.
std::string thread_path(std::span<const ThreadRecord> threads, uint32_t index);
std::string thread_path(std::span<const ScheduleThreadRecord> threads, uint32_t index);

}  // namespace heddle::trace
