// The arena: the shared memory through which the tool and the runtime talk.
//
// The tool creates it (a sparse memfd, or a sparse file when everything is recorded), writes a request into
// the header, and starts the program with HEDDLE_OPTIONS=arena=<fd number or path>. The runtime maps it,
// answers there, and appends to the tables while the program runs. Counts are always valid: a record is
// written before its count is raised, so the tool may read at any time, also after SIGKILL.
//
// Fork-server protocol (header.server == 1), over two pipes whose numbers are in the header:
//   runtime → tool   'R'   ready: the program is loaded, nothing of it has run
//   tool → runtime   'G'   run one execution of the request now in the header ('Q' or end of file: quit)
//   runtime → tool   'D'   done; header.wait_status is set and the tables are final
//                    'L'   the same, and the execution has left processes behind
// Without the fork server the program simply runs the request once, in the process that was started.
#pragma once

#include "trace/layout.h"

namespace heddle::trace {

// X(enumerator, text, help)
#define HEDDLE_PLAIN_POLICIES(X)                                                                          \
  X(kNonpreemptive, "nonpreemptive", "run each thread until it blocks or ends")                           \
  X(kRoundRobin, "round-robin", "switch to the next thread at every scheduling point")                    \
  X(kRandom, "random", "choose uniformly among the threads that can run")                                 \
  X(kPct, "pct", "random priorities with D-1 change points (pct:D), see docs/policies.md")                \
  X(kPos, "pos", "random priorities of operations, drawn again when they conflict with what is executed") \
  X(kSerial, "serial", "run each thread until it blocks or ends; who comes next is drawn")
// These need what a search has seen in earlier executions, and are of little use by themselves.
#define HEDDLE_GUIDED_POLICIES(X)                                                                 \
  X(kSurw, "surw", "every order of some statements with the same probability")                    \
  X(kReadsFrom, "rf", "pos, with wishes who reads from whom")                                     \
  X(kMeet, "meet", "threads wait at certain places for each other; who came first goes on first") \
  X(kMeetReversed, "meet-reversed", "the same, but who came last goes on first")                  \
  X(kDelay, "delay", "threads wait at certain statements as long as anybody else can go on")
#define HEDDLE_POLICIES(X) HEDDLE_PLAIN_POLICIES(X) HEDDLE_GUIDED_POLICIES(X)

enum class PolicyKind : uint32_t {
#define HEDDLE_X(name, text, help) name,
  HEDDLE_POLICIES(HEDDLE_X)
#undef HEDDLE_X
      kCount
};

// Whether the policy draws from the seed.
constexpr bool is_random(PolicyKind policy) {
  return policy != PolicyKind::kNonpreemptive && policy != PolicyKind::kRoundRobin;
}

constexpr bool is_guided(PolicyKind policy) {
  return policy >= PolicyKind::kSurw && policy < PolicyKind::kCount;
}

namespace request_flag {
inline constexpr uint32_t kRecordEvents = 1;      // fill events, objects, contexts, sites
inline constexpr uint32_t kRecordAll = 2;         // also accesses that are no scheduling points
inline constexpr uint32_t kRecordChoices = 4;     // fill choices
inline constexpr uint32_t kLearn = 8;             // report newly shared locations in `learned`
inline constexpr uint32_t kCoverage = 16;         // fill coverage
inline constexpr uint32_t kRingEvents = 32;       // keep only the last `capacity` events
inline constexpr uint32_t kNoSpinParking = 64;    // do not park spinning threads
inline constexpr uint32_t kStopInDebugger = 128;  // raise SIGTRAP where a failure is recognised
inline constexpr uint32_t kOsThreads = 256;       // a kernel thread for every thread of the program
inline constexpr uint32_t kTimeoutsWhenIdle =
    512;  // the random policies let time pass only when nobody can run
inline constexpr uint32_t kRecordPointsOnly = 2048;  // no accesses whose order synchronisation decides
inline constexpr uint32_t kLeaveParked = 1024;  // the schedule cannot run a spinning thread while others can
inline constexpr uint32_t kDetectRaces = 4096;  // fill races; an execution that had some has failed
// What several threads use is recorded unless all that is open about it ended before the threads began; else
// what every thread knows of by now is not.
inline constexpr uint32_t kRecordShared = 8192;
}  // namespace request_flag

// What the tool asks of one execution. The schedule is followed first; then the policy decides.
struct RequestRecord {
  PolicyKind policy;
  uint32_t pct_depth;
  uint64_t seed;
  uint64_t pct_length;  // estimated steps of an execution (0: not known yet)
  uint64_t max_steps;   // more scheduling steps than this is a livelock
  uint32_t flags;
  uint32_t stop_at_divergence;  // 1: end the execution when the schedule cannot be followed
  uint32_t exploration_first;   // 1: its first execution; else one is made before the one that counts
  // What the policy may also choose, one time in so many chances; 0: never.
  uint32_t spurious_wakeups;     // a wait ends although nobody has woken it
  uint32_t allocation_failures;  // an allocation fails
  uint32_t reserved;
  uint64_t exploration;  // n: the execution is what the n-th heddle::explore() of the program explores; 0:
                         // all of it
};

// A choice that is not to be made after the given schedule until something has happened that it depends on.
struct AsleepRecord {
  uint32_t thread;
  StepKind kind;
  uint32_t
      looks_only;  // 1: when it was made, its operation only looked (a failed compare-exchange or try-lock)
  uint32_t reserved;
};
static_assert(sizeof(AsleepRecord) == 16);

// A wish of the tool's for policy rf, about two statements (statement.h) on the same location.
enum class ConstraintKind : uint32_t {
  kReadsFrom,         // once, `read` reads what `write` has written
  kReadsFromAnother,  // whenever `write` was the last to write, another write comes before `read`
  kReadsBefore,       // `read` comes before the first `write`
};

struct ConstraintRecord {
  uint64_t read;
  uint64_t write;
  ConstraintKind kind;
  uint32_t own;  // 1: the write is meant that the reading thread has made itself; 0: that of another one
};
static_assert(sizeof(ConstraintRecord) == 24);

// Tables that exist only in the arena, not in trace files. X(enumerator, RecordType)
#define HEDDLE_ARENA_TABLES(X)                                                                               \
  X(kInputThreads, ScheduleThreadRecord) /* tool → runtime: names used by kInputSteps */                     \
  X(kInputSteps, StepRecord)             /* tool → runtime: the schedule; threads index kInputThreads */     \
  X(kInputPoints, PointRecord)           /* tool → runtime: the point set; only grows between executions */  \
  X(kInputAsleep, AsleepRecord) /* tool → runtime: not to be chosen after kInputSteps, see sleep_set.h */    \
  X(kInputStatements, uint64_t) /* tool → runtime: for surw, those of interest (statement.h), sorted; for */ \
                                /* delay, where to wait; for meet, sites: statements without calls */        \
  X(kInputEstimates, uint64_t) /* tool → runtime: for surw, by entry of kInputThreads: how many events of */ \
                               /* interest to expect of it and of the threads that it creates */             \
  X(kInputConstraints, ConstraintRecord) /* tool → runtime: for rf */                                        \
  X(kLearned, PointRecord)               /* runtime → tool: locations newly seen shared */

enum class ArenaTableId : uint32_t {
#define HEDDLE_X(name, type) name,
  HEDDLE_ARENA_TABLES(HEDDLE_X)
#undef HEDDLE_X
      kCount
};
inline constexpr size_t kArenaTableCount = static_cast<size_t>(ArenaTableId::kCount);

struct ArenaHeader {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint64_t arena_size;
  uint32_t server;     // 1: act as fork server
  int32_t request_fd;  // tool → runtime
  int32_t reply_fd;    // runtime → tool
  int32_t cpu;         // pin server and children to this core; -1: do not pin
  RequestRecord request;
  // Answers.
  uint32_t ready;             // 1 once the runtime has attached
  int32_t start_error;        // errno, if there is no child
  int32_t wait_status;        // as from waitpid
  uint32_t prewarm_threads;   // server: keep this many thread shells ready; the tool raises it as it learns
  uint64_t executions;        // by this server
  uint64_t accesses;          // instrumented accesses seen on slow paths, for statistics
  uint64_t cpu_nanoseconds;   // of the last child, user + system
  uint64_t max_rss_kb;        // of the last child
  uint64_t events_dropped;    // events that came when the table was full (in ring mode the count runs on)
  uint32_t saw_instrumented;  // 1 once any __tsan_ access or function hook was called
  uint32_t saw_coverage;      // 1 if the program has block coverage
  uint32_t saw_threads;       // threads created
  uint32_t held_back;         // 1 if a thread that read the same again and again could not be chosen (spin.h)
  OutcomeRecord outcome;
  TableRecord tables[kTableCount];
  TableRecord arena_tables[kArenaTableCount];
  // Where a table goes on that has outgrown its place: the runtime moves it. Capacity 0: nowhere.
  TableRecord larger_tables[kTableCount];
};

// What the runtime reserves of the program's address space, apart from the arena; `heddle doctor` tries it.
inline constexpr uint64_t kReservedAddressSpace = uint64_t{37} << 40;

// The header's room in the arena: large tables start after it. It also holds the beginnings of those tables
// that every execution fills, and at its end what the runtime keeps there for itself.
inline constexpr uint64_t kArenaHeaderRoom = 16384;
inline constexpr uint64_t kArenaRuntimeRoom = 8192;
static_assert(sizeof(ArenaHeader) <= 4096);

}  // namespace heddle::trace
