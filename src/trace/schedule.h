// Schedule: the choices of one execution, and everything needed to make them again.
//
// In memory a schedule holds the very records the runtime follows (arena.h): threads by their place in the
// creation tree, run-length coded steps, and the point set in force. On disk it is a text that people review
// and diff; docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "trace/arena.h"
#include "trace/layout.h"
#include "trace/policy.h"
#include "trace/thread_tree.h"
#include "trace/trace.h"

namespace heddle::trace {

// Bumped whenever the meaning of a line changes; readers refuse newer versions.
inline constexpr uint32_t kScheduleVersion = 1;

// A schedule that names more threads than Linux gives one process by default (32,768) is damaged.
inline constexpr size_t kMaxScheduleThreads = 1 << 16;

// About 40 million switches; a larger text is not a schedule that anyone can execute or review.
inline constexpr uint64_t kMaxScheduleBytes = uint64_t{512} << 20;

// Far more steps than a test of a few seconds makes, and reached within a second or two.
inline constexpr uint64_t kDefaultMaxSteps = 1'000'000;

struct Schedule {
  std::string build_id;                // of the main program; empty if it has none
  std::vector<std::string> command;    // the test's words
  std::string directory;               // where it runs; empty: wherever heddle is started
  std::string policy;                  // what made the choices, for people
  PolicySpec then;                     // who chooses after the last step
  std::optional<OutcomeKind> failure;  // what the schedule shows, if it is known
  std::string message;                 // the words of that failure
  std::optional<uint64_t> output;      // what shows it is what the test prints: hash of its lines, sorted
  uint64_t exploration = 0;  // which heddle::explore() of the program it belongs to, from 1; 0: none
  std::string exploration_name;
  bool exploration_first = false;  // its first execution: nothing of it has been executed before
  uint64_t max_steps = kDefaultMaxSteps;
  bool spin_parking = true;
  bool detects_races = false;  // which makes other accesses points, and races failures

  ThreadTree threads;
  std::vector<StepRecord> steps;  // StepRecord::thread is an entry of `threads`
  std::vector<PointRecord> points;
  std::map<uint64_t, std::string> key_names;  // the names behind the keys of `points`, as far as known

  // Appends a choice; a run of the thread that ran last extends that run. What `count` means
  // depends on the kind, see StepKind.
  void add(StepKind kind, uint32_t entry, uint32_t count = 1);

  // The number of choices: runs count their operations.
  uint64_t choices() const;
};

// The schedule that `trace` (which must be valid) followed. The point set is sorted, so that two schedules
// can be compared line by line.
Schedule schedule_of(const Trace& trace);

// Text of equal schedules is equal. Threads that no step uses are not part of it.
std::string print_schedule(const Schedule& schedule);

// `name` stands for the file in errors: "name:line: what is wrong".
Expected<Schedule> parse_schedule(std::string_view text, const std::string& name);

// Like parse and print, but a relative `directory` in the file is relative to the file's folder, so that a
// schedule kept in a project works in every checkout.
Expected<Schedule> read_schedule_file(const std::string& path);
Expected<void> write_schedule_file(const std::string& path, const Schedule& schedule);

// Fills the arena's input tables. Fails if they are too small.
Expected<void> put_into_arena(const Schedule& schedule, ArenaHeader* arena);

}  // namespace heddle::trace
