#include "trace/names.h"

#include <array>
#include <vector>

#include <fmt/format.h>

namespace heddle::trace {
namespace {

template <size_t size, typename Enum>
std::string_view pick(const std::array<std::string_view, size>& names, Enum value) {
  const auto index = static_cast<size_t>(value);
  return index < size ? names[index] : "unknown";
}

template <typename Record>
std::string path_of(std::span<const Record> threads, uint32_t index) {
  std::vector<uint32_t> ordinals;  // innermost first; 0 stands for a step that cannot be followed
  while (index != 0) {
    if (index >= threads.size()) {
      ordinals.push_back(0);
      break;
    }
    const Record& thread = threads[index];
    ordinals.push_back(thread.ordinal);
    if (thread.parent >= index) {
      ordinals.push_back(0);
      break;
    }
    index = thread.parent;
  }
  std::string path = "main";
  for (auto ordinal = ordinals.rbegin(); ordinal != ordinals.rend(); ++ordinal) {
    path += *ordinal == 0 ? "/?" : fmt::format("/{}", *ordinal);
  }
  return path;
}

}  // namespace

std::string_view to_text(EventKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({
#define HEDDLE_X(name, text) text,
      HEDDLE_EVENT_KINDS(HEDDLE_X)
#undef HEDDLE_X
  });
  return pick(kNames, kind);
}

std::string_view to_text(OutcomeKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({
#define HEDDLE_X(name, text) text,
      HEDDLE_OUTCOME_KINDS(HEDDLE_X)
#undef HEDDLE_X
  });
  return pick(kNames, kind);
}

std::string_view to_text(PolicyKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({
#define HEDDLE_X(name, text, help) text,
      HEDDLE_POLICIES(HEDDLE_X)
#undef HEDDLE_X
  });
  return pick(kNames, kind);
}

std::string_view to_text(ObjectKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"none", "global", "heap", "stack", "thread", "mapping", "unknown", "descriptor"});
  return pick(kNames, kind);
}

std::string_view to_text(MemoryOrder order) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"relaxed", "consume", "acquire", "release", "acq-rel", "seq-cst"});
  return pick(kNames, order);
}

std::string_view to_text(StepKind kind) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"run", "timeout", "wake", "spurious", "fail-allocation"});
  return pick(kNames, kind);
}

std::string_view to_text(PointKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>({"global", "heap", "stack", "unknown"});
  return pick(kNames, kind);
}

std::string_view to_text(PointGrade grade) {
  static constexpr auto kNames = std::to_array<std::string_view>({"point", "handed-over"});
  return pick(kNames, grade);
}

std::string_view to_text(WaitKind kind) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"nothing", "lock", "read-lock", "join", "condition", "semaphore", "barrier", "once", "futex", "sleep",
       "spin", "input", "signal", "child"});
  return pick(kNames, kind);
}

std::string_view to_text(TableId table) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"strings", "modules", "threads", "sites", "contexts", "objects", "steps", "points", "coverage",
       "blocked", "choices", "alternatives", "races", "events"});
  static_assert(kNames.size() == kTableCount);
  return pick(kNames, table);
}

std::optional<OutcomeKind> parse_outcome_kind(std::string_view text) {
  for (uint32_t i = 0; i < static_cast<uint32_t>(OutcomeKind::kCount); ++i) {
    if (to_text(OutcomeKind{i}) == text) {
      return OutcomeKind{i};
    }
  }
  return std::nullopt;
}

std::string thread_path(std::span<const ThreadRecord> threads, uint32_t index) {
  return path_of(threads, index);
}

std::string thread_path(std::span<const ScheduleThreadRecord> threads, uint32_t index) {
  return path_of(threads, index);
}

}  // namespace heddle::trace
