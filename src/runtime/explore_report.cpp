#include "runtime/explore_report.h"

#include <fcntl.h>

#include "runtime/address_space.h"
#include "runtime/schedule_text.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

using trace::OutcomeKind;

constexpr const char* kKindNames[] = {
#define HEDDLE_X(name, label) label,
    HEDDLE_OUTCOME_KINDS(HEDDLE_X)
#undef HEDDLE_X
};
constexpr const char* kWaitNames[] = {"could go on",
                                      "waits for a lock",
                                      "waits for a shared lock",
                                      "waits for the end of a thread",
                                      "waits for a notification",
                                      "waits for a semaphore",
                                      "waits at a barrier",
                                      "waits for an initialisation",
                                      "waits on a futex",
                                      "sleeps",
                                      "spins",
                                      "waits for input",
                                      "waits for a signal",
                                      "waits for a child process"};

inline constexpr size_t kMessageRoom = 16 * 1024;
inline constexpr size_t kPathRoom = 1024;

void describe_waiting(const trace::BlockedRecord& blocked, Text* text) {
  text->add("\n  ");
  add_thread_path(blocked.thread, text);
  text->add(" ").add(kWaitNames[static_cast<size_t>(blocked.wait)]);
  if (blocked.holder == 0) return;
  text->add(blocked.wait == trace::WaitKind::kJoin ? ": " : " that belongs to ");
  add_thread_path(blocked.holder - 1, text);
}

bool is_standstill(OutcomeKind kind) {
  return kind == OutcomeKind::kDeadlock || kind == OutcomeKind::kLostWakeup || kind == OutcomeKind::kLivelock;
}

bool write_file(const char* path, const char* text) {
  const long fd =
      sys_call(SYS_open, reinterpret_cast<long>(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return false;
  size_t size = text_length(text);
  while (size > 0) {
    const long n = sys_write(static_cast<int>(fd), text, size);
    if (n <= 0) break;
    text += n;
    size -= static_cast<size_t>(n);
  }
  sys_call(SYS_close, fd);
  return size == 0;
}

// Letters, digits and a few signs of the test's name; the rest would need quoting in a shell.
void add_file_word(const char* name, Text* text) {
  for (; *name != 0; ++name) {
    const bool plain = (*name >= '0' && *name <= '9') || ((*name | 32) >= 'a' && (*name | 32) <= 'z') ||
                       *name == '.' || *name == '_' || *name == '-';
    const char letter[] = {plain ? *name : '-', 0};
    text->add(letter);
  }
}

}  // namespace

const char* kind_name(OutcomeKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

void tell_failure(const ExploredFailure& failure, heddle_result* told) {
  static char* message_text = static_cast<char*>(own_memory(kMessageRoom));
  static char* file_text = static_cast<char*>(own_memory(kPathRoom));
  const heddle_options& asked = failure.options;
  const trace::OutcomeRecord& outcome = rt.arena->outcome;
  heddle_result& result = *told;
  result.kind = kind_name(outcome.kind);
  result.failed_seed = failure.seed;
  result.schedule = print_schedule({.moves_along = text_equal(asked.folder, "."),
                                    .name = asked.name,
                                    .number = failure.number,
                                    .first = failure.first,
                                    .policy = asked.policy,
                                    .seed = failure.seed,
                                    .failure = result.kind,
                                    .message = outcome.message},
                                   failure.point_count);
  const bool wants_file = asked.folder[0] != 0 && asked.schedule == nullptr;
  if (wants_file) {
    Text path(file_text, kPathRoom);
    path.add(asked.folder).add("/heddle-");
    add_file_word(asked.name, &path);
    path.add("-").add(result.kind).add(".schedule");
    if (write_file(file_text, result.schedule)) result.schedule_file = file_text;
  }
  Text text(message_text, kMessageRoom);
  text.add(asked.name).add(": ").add(result.kind).add(" in ");
  add_thread_path(outcome.thread, &text);
  text.add(": ").add(outcome.message);
  if (is_standstill(outcome.kind)) {
    const auto* blocked = table<trace::BlockedRecord>(trace::TableId::kBlocked);
    for (uint64_t i = 0; i < descriptor(trace::TableId::kBlocked).count; ++i)
      describe_waiting(blocked[i], &text);
  }
  text.add("\n  ").add(asked.schedule != nullptr ? "under the given schedule" : "execution ");
  if (asked.schedule == nullptr)
    text.add(result.executions).add(", policy ").add(asked.policy).add(", seed ").add(failure.seed);
  if (wants_file)
    text.add(result.schedule_file != nullptr ? "\n  schedule: " : "\n  the schedule cannot be written to ")
        .add(file_text);
  result.message = message_text;
}

}  // namespace heddle::rt
