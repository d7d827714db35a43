#include "runtime/explore.h"

#include <unwind.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "heddle/heddle_c.h"
#include "runtime/address_space.h"
#include "runtime/explore_end.h"
#include "runtime/explore_report.h"
#include "runtime/failure.h"
#include "runtime/point_set.h"
#include "runtime/recorder.h"
#include "runtime/schedule_text.h"
#include "runtime/scheduler.h"
#include "runtime/startup.h"
#include "runtime/sys.h"
#include "runtime/world.h"

namespace heddle::rt {
namespace {

using trace::OutcomeKind;

inline constexpr size_t kMessageRoom = 1024;  // of what is wrong with a request
inline constexpr uint64_t kDefaultExecutions = 10000;
inline constexpr uint64_t kDefaultMaxSteps = 100000;

// What a call of heddle::explore() is for.
enum class Purpose : uint8_t {
  kExplore,
  kTool,    // the tool has a schedule for it
  kPassBy,  // the tool has one for another exploration, which this one comes before
};

// libstdc++'s and libc++'s __cxa_eh_globals.
struct ExceptionGlobals {
  void* caught;
  unsigned uncaught;
};

// All that an exploration knows. Not on the stack, since abandoned executions come back to it.
struct Exploration {
  bool running;
  bool assumption_failed;  // in the current execution
  bool abandoned;          // the current execution was
  void (*body)(void*);
  void* argument;
  uintptr_t pc;  // of the call
  heddle_options options;
  heddle_result* result;
  trace::PolicyKind policy;
  uint32_t pct_depth;
  uint64_t number;       // among all that the program makes
  uint64_t point_count;  // of the current execution, when it began
  uint64_t seed;
  int had_failed;     // what options.failed said last
  uint64_t deadline;  // nanoseconds of the monotonic clock, or 0
  ExceptionGlobals exceptions;
  RecordEnd record_end;
  bool first;  // the current execution is the first one
  bool quiet;  // nothing is told here: the tool tells the outcome itself, or nobody asks for it
  ReturnPoint return_point;
};
Exploration exploration;
LazyArray<char, kMessageRoom> message_text;

HEDDLE_REAL Real<int(clockid_t, timespec*)> real_clock{"clock_gettime"};
HEDDLE_REAL Real<ExceptionGlobals*()> exception_globals{"__cxa_get_globals"};

using TerminateHandler = void();
HEDDLE_REAL Real<TerminateHandler*(TerminateHandler*)> set_terminate{"_ZSt13set_terminatePFvvE"};

// In place of the C++ library's, which prints something and behaves differently the second time.
void on_terminate() {
  abort();
}

_Unwind_Reason_Code stop_unwinding(_Unwind_Context*, void*) {
  return _URC_END_OF_STACK;
}

// What the first exception of a process initialises shall not be part of an execution.
void prepare_unwinding() {
  InsideScope inside;
  _Unwind_Backtrace(stop_unwinding, nullptr);
}

uint64_t now() {
  timespec time;
  real_clock(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

void tell_first_failure() {
  tell_failure({.options = exploration.options,
                .number = exploration.number,
                .seed = exploration.seed,
                .point_count = exploration.point_count,
                .first = exploration.first},
               exploration.result);
}

// What the test framework says of the execution. Where an expectation has failed is the framework's to tell;
// the failure is told of the call of explore().
void ask_framework() {
  if (exploration.options.failed == nullptr) return;
  const int failed = exploration.options.failed(exploration.argument);
  if (failed != 0 && exploration.had_failed == 0)
    describe_failure({.kind = OutcomeKind::kAssertion,
                      .message = "the test framework counts it as failed",
                      .pc = exploration.pc,
                      .walk_stack = true});
  exploration.had_failed = failed;
}

void run_body() {
  exploration.body(exploration.argument);
  ask_framework();
  end_threads_of_body();
}

// The framework may have counted a failure before the execution was abandoned, and would tell of it after the
// next one. It is asked as the program would ask: with its threads gone, but under control.
void ask_framework_of_abandoned() {
  if (exploration.options.failed == nullptr) return;
  exploration.record_end = end_record();
  drop_threads();
  ask_framework();
  go_back_to(exploration.record_end);
}

// The framework cannot be asked, say because an abandoned thread holds its lock.
void ask_nobody() {
  rt.arena->outcome.kind = exploration.record_end.kind;
  go_back_to(exploration.record_end);
}

// One execution; true if it failed. The first of an exploration counts only if it fails: it lets what the
// body does once in a process (initialise static variables, say) happen before the executions that shall be
// alike.
bool execute(uint64_t seed, bool is_first = false) {
  exploration.seed = seed;
  exploration.first = is_first;
  exploration.assumption_failed = exploration.abandoned = false;
  rt.arena->request.seed = seed;
  begin_inner_execution();
  exploration.point_count = descriptor(trace::ArenaTableId::kInputPoints).count;
  exploration.running = true;
  if (heddle_mark_return(&exploration.return_point) == 0) {
    run_body();
  } else {
    if (exception_globals.exists()) *exception_globals() = exploration.exceptions;
    const bool again = exploration.abandoned;
    exploration.abandoned = true;
    if (HEDDLE_UNLIKELY(again))
      ask_nobody();
    else
      ask_framework_of_abandoned();
  }
  exploration.running = false;
  const bool failed = rt.arena->outcome.kind != OutcomeKind::kOk;
  heddle_result& result = *exploration.result;
  if (HEDDLE_UNLIKELY(exploration.assumption_failed && !failed)) {
    if (!is_first) result.blocked++;
  } else {
    if (!is_first || failed) result.executions++;
    if (HEDDLE_UNLIKELY(failed) && result.failures++ == 0 && !exploration.quiet) tell_first_failure();
  }
  // Failures inside of the body have stopped there.
  if (failed && (!exploration.abandoned || exploration.assumption_failed)) stop_if_debugging();
  end_inner_execution();
  return failed;
}

bool uses_seed() {
  return trace::is_random(rt.arena->request.policy);
}

void explore_all() {
  trace::RequestRecord& request = rt.arena->request;
  const heddle_options& options = exploration.options;
  request.flags = trace::request_flag::kLearn;
  if (options.detect_races != 0) request.flags |= trace::request_flag::kDetectRaces;
  const trace::PolicyKind policy = request.policy;
  request.policy = trace::PolicyKind::kNonpreemptive;
  if (execute(options.seed, true) && options.keep_going == 0) return;
  request.policy = policy;
  for (uint64_t i = 0; i < options.executions; ++i) {
    if (execute(options.seed + i) && options.keep_going == 0) return;
    if (request.pct_length < rt.steps) request.pct_length = rt.steps;
    // Without chance the next execution differs only if there is something to differ in.
    if (!uses_seed() && descriptor(trace::ArenaTableId::kLearned).count == 0) return;
    if (exploration.deadline != 0 && now() >= exploration.deadline) return;
  }
}

// The first execution, before one under a given schedule that was not the first.
void warm_up() {
  trace::RequestRecord& request = rt.arena->request;
  const trace::RequestRecord before = request;
  trace::TableRecord& steps = descriptor(trace::ArenaTableId::kInputSteps);
  const uint64_t count = steps.count;
  steps.count = 0;
  request.flags &= trace::request_flag::kDetectRaces;
  request.policy = trace::PolicyKind::kNonpreemptive;
  request.stop_at_divergence = 0;
  const bool quiet = exploration.quiet;
  exploration.quiet = true;
  execute(before.seed, true);
  exploration.quiet = quiet;
  exploration.result->executions = exploration.result->failures = 0;
  request = before;
  steps.count = count;
}

void replay_one() {
  rt.arena->request.flags = 0;
  bool is_first;
  if (const char* error = parse_schedule(exploration.options.schedule, &is_first)) {
    Text(&message_text[0], kMessageRoom).add("the schedule cannot be replayed: ").add(error);
    exploration.result->message = &message_text[0];
    exploration.result->diverged = 1;
    return;
  }
  point_set_load();
  point_set_apply_all();
  if (!is_first) warm_up();
  rt.arena->request.flags |= trace::request_flag::kRecordEvents | trace::request_flag::kRingEvents;
  const bool failed = execute(exploration.options.seed);
  heddle_result& result = *exploration.result;
  result.trace_hash = recorded_hash();
  const bool ended_early = !failed && schedule_has_more();
  if (rt.arena->outcome.diverged_step == 0 && !ended_early) return;
  result.diverged = 1;
  if (result.message != nullptr) return;
  Text text(&message_text[0], kMessageRoom);
  if (ended_early)
    text.add("the function ended before its schedule did");
  else
    text.add("the schedule could not be followed from step ").add(rt.arena->outcome.diverged_step);
  result.message = &message_text[0];
}

// The tool has a schedule for this exploration: it is all that the process was started for.
[[noreturn]] void execute_for_tool() {
  static HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};
  exploration.quiet = true;
  rt.arena->saw_instrumented = rt.instrumented ? 1 : 0;
  point_set_load();
  point_set_apply_all();
  if (rt.arena->request.exploration_first == 0) warm_up();
  execute(rt.arena->request.seed);
  rt.inside = true;
  rt.active = false;
  real_fflush(nullptr);
  sys_exit_group(rt.arena->outcome.kind == OutcomeKind::kOk ? 0 : static_cast<int>(options.exitcode));
}

// All that matters of this exploration is what the body leaves behind. However it ends, the program goes on.
void pass_by() {
  exploration.quiet = true;
  rt.arena->request.policy = trace::PolicyKind::kNonpreemptive;
  execute(exploration.options.seed);
  *exploration.result = {.controlled = 1, .executions = 1};
}

void explore_from(uintptr_t main_stack_top, Purpose purpose) {
  enter_inner_world(main_stack_top, purpose == Purpose::kTool);
  if (purpose == Purpose::kTool) execute_for_tool();
  trace::RequestRecord& request = rt.arena->request;
  request = {};
  request.policy = exploration.policy;
  request.pct_depth = exploration.pct_depth;
  request.max_steps = exploration.options.max_steps;
  if (purpose == Purpose::kPassBy)
    pass_by();
  else if (exploration.options.schedule != nullptr)
    replay_one();
  else
    explore_all();
  exploration.result->points = descriptor(trace::ArenaTableId::kInputPoints).count;
  leave_inner_world();
}

// Locations on main's stack are known by their distance from its top. Variables with a large alignment have
// the same one in every process only if the top has such an alignment itself.
__attribute__((noinline)) void explore_on_aligned_stack(Purpose purpose) {
  constexpr uintptr_t kPage = 4096;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  auto* room = static_cast<volatile char*>(__builtin_alloca(64 + here % kPage));
  room[0] = 0;
  explore_from(here - here % kPage, purpose);
}

heddle_options with_defaults(heddle_options options) {
  if (options.name == nullptr) options.name = "explore";
  if (options.policy == nullptr) options.policy = "random";
  if (options.seed == 0) options.seed = 1;
  if (options.executions == 0) options.executions = kDefaultExecutions;
  if (options.max_steps == 0) options.max_steps = kDefaultMaxSteps;
  if (options.folder == nullptr) options.folder = ".";
  return options;
}

// Once, without control: inside of another exploration, or in a process that heddle has let go.
int merely_call(void (*body)(void*), void* argument, const heddle_options& options, heddle_result* result) {
  const bool had_failed = options.failed != nullptr && options.failed(argument) != 0;
  body(argument);
  result->executions = 1;
  result->message = in_inner_world() ? "not explored: inside of another exploration, the body was called once"
                                     : "not explored: without heddle's control, the body was called once";
  if (had_failed || options.failed == nullptr || options.failed(argument) == 0) return 0;
  result->failures = 1;
  result->kind = kind_name(OutcomeKind::kAssertion);
  result->message = "the test has failed";
  return 1;
}

}  // namespace

bool exploring() {
  return exploration.running;
}

void end_exploring() {
  exploration.running = false;
}

void abandon_execution() {
  heddle_return_to(&exploration.return_point);
}

void report_before_death() {
  if (exploration.quiet) return;
  exploration.result->executions++;
  tell_first_failure();
  const char* message = exploration.result->message;
  sys_write(2, "heddle: ", 8);
  sys_write(2, message, text_length(message));
  sys_write(2, "\n", 1);
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int heddle_rt_explore(void (*body)(void*), void* argument, const heddle_options* options,
                                    heddle_result* result) {
  *result = {};
  uint64_t number = exploration.number;
  if (!in_inner_world() && options->schedule == nullptr) number = ++exploration.number;
  heddle::trace::ArenaHeader* arena = arena_for_exploration();
  if (!controlled() || in_inner_world()) return merely_call(body, argument, *options, result);
  Purpose purpose = Purpose::kExplore;
  if (arena != nullptr) {
    const bool is_wanted = arena->request.exploration == number && options->schedule == nullptr;
    purpose = is_wanted ? Purpose::kTool : Purpose::kPassBy;
  }
  exploration = {};
  exploration.body = body;
  exploration.argument = argument;
  exploration.pc = HEDDLE_CALLER_PC;
  exploration.options = with_defaults(*options);
  exploration.result = result;
  exploration.number = number;
  result->controlled = 1;
  if (!find_policy(exploration.options.policy, &exploration.policy, &exploration.pct_depth)) {
    Text(&message_text[0], kMessageRoom)
        .add(exploration.options.name)
        .add(": there is no policy ")
        .add(exploration.options.policy)
        .add("; policies: ")
        .add(policy_names());
    result->failures = 1;
    result->kind = kind_name(OutcomeKind::kMisuse);
    result->message = &message_text[0];
    return 1;
  }
  if (options->failed != nullptr) exploration.had_failed = options->failed(argument);
  if (options->milliseconds != 0) exploration.deadline = now() + options->milliseconds * 1000000u;
  if (exception_globals.exists()) exploration.exceptions = *exception_globals();
  prepare_unwinding();
  TerminateHandler* const handler = set_terminate.exists() ? set_terminate(on_terminate) : nullptr;
  explore_on_aligned_stack(purpose);
  if (set_terminate.exists()) set_terminate(handler);
  return result->failures != 0 || result->diverged != 0 ? 1 : 0;
}

HEDDLE_EXPORT void heddle_rt_assume_failed() {
  if (!controlled()) return;
  if (!exploring()) end_abandoned(heddle::trace::Abandoned::kAssumption);
  exploration.assumption_failed = true;
  abandon_execution();
}
