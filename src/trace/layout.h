// The binary layout that the runtime writes and every engine reads.
//
// One execution produces a handful of append-only tables: threads, sites, contexts, objects, events, the
// schedule that was followed, and so on. While the program runs, the tables live in one sparse shared-memory
// file, the *arena*, at fixed offsets chosen by the tool; nothing in it is a pointer, so the tool can read it
// even when the program was killed in the middle of a step. A trace file holds the same tables, compacted.
//
// Everything is little-endian and fixed-size. Index 0 of sites, contexts, objects and strings means "none".
// Identities never contain a raw address: a location is (object, offset), a code position (module, offset).
// This header depends on nothing, since it is compiled into the program under test as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::trace {

// Bumped whenever the meaning of a record changes. Readers refuse newer versions and say so.
inline constexpr uint32_t kFormatVersion = 4;
inline constexpr char kTraceMagic[8] = {'H', 'E', 'D', 'T', 'R', 'A', 'C', 'E'};
inline constexpr char kArenaMagic[8] = {'H', 'E', 'D', 'A', 'R', 'E', 'N', 'A'};

// X(enumerator, text). The text is what `heddle trace dump` prints.
#define HEDDLE_EVENT_KINDS(X)         \
  X(kNone, "none")                    \
  X(kRead, "read")                    \
  X(kWrite, "write")                  \
  X(kAtomicRead, "atomic-read")       \
  X(kAtomicWrite, "atomic-write")     \
  X(kAtomicUpdate, "atomic-update")   \
  X(kFence, "fence")                  \
  X(kFork, "fork")                    \
  X(kJoin, "join")                    \
  X(kThreadBegin, "thread-begin")     \
  X(kThreadEnd, "thread-end")         \
  X(kLock, "lock")                    \
  X(kUnlock, "unlock")                \
  X(kReadLock, "read-lock")           \
  X(kReadUnlock, "read-unlock")       \
  X(kTryLock, "try-lock")             \
  X(kTryReadLock, "try-read-lock")    \
  X(kCondWait, "cond-wait")           \
  X(kCondWake, "cond-wake")           \
  X(kNotifyOne, "notify-one")         \
  X(kNotifyAll, "notify-all")         \
  X(kSemWait, "sem-wait")             \
  X(kSemTryWait, "sem-try-wait")      \
  X(kSemPost, "sem-post")             \
  X(kBarrierArrive, "barrier-arrive") \
  X(kBarrierLeave, "barrier-leave")   \
  X(kOnceBegin, "once-begin")         \
  X(kOnceEnd, "once-end")             \
  X(kOncePassed, "once-passed")       \
  X(kFutexWait, "futex-wait")         \
  X(kFutexAwake, "futex-awake")       \
  X(kFutexWake, "futex-wake")         \
  X(kAlloc, "alloc")                  \
  X(kFree, "free")                    \
  X(kSleep, "sleep")                  \
  X(kYield, "yield")                  \
  X(kSyncInit, "sync-init")           \
  X(kSyncDestroy, "sync-destroy")     \
  X(kAccess, "access")                \
  X(kExit, "exit")                    \
  X(kSignalSend, "signal-send")       \
  X(kSignal, "signal")                \
  X(kAtomicSet, "atomic-set")

enum class EventKind : uint8_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_EVENT_KINDS(HEDDLE_X)
#undef HEDDLE_X
      kCount
};

// Values of EventRecord::order, for atomic events; the numbering is that of __tsan_memory_order.
enum class MemoryOrder : uint8_t { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };

namespace event_flag {
inline constexpr uint16_t kPoint = 1;  // first event of a scheduling step
inline constexpr uint16_t kFailed =
    2;  // try-lock that found it taken, compare-exchange that compared unequal, injected failure
inline constexpr uint16_t kTimedOut = 4;   // a timed operation that ended by its timeout
inline constexpr uint16_t kRecursive = 8;  // inner lock or unlock of a recursive mutex
inline constexpr uint16_t kSpin = 16;      // after this read the thread was parked as spinning
inline constexpr uint16_t kVptr = 32;      // access to a C++ virtual table pointer
inline constexpr uint16_t kRange = 64;     // block access (memcpy and the like)
inline constexpr uint16_t kTimed = 128;    // a lock or semaphore operation with a time limit
inline constexpr uint16_t kCompare = 256;  // an update by compare-exchange
}  // namespace event_flag

// One executed operation. Which fields mean what:
//   accesses, locks …   object+offset = the location; size = bytes (accesses)
//   kFork/kJoin         peer = the other thread
//   kCondWait           peer = 0; the mutex's release and re-acquisition are kUnlock/kLock events of their
//   own kCondWake           peer = notifying thread + 1, or 0 if it ended by timeout or spuriously
//   kNotifyOne/All, kFutexWake   peer = number of threads woken
//   kFutexAwake         peer = waking thread + 1, or 0
//   kAlloc/kFree        object = the object (none if it failed); size = its size (saturated)
//   kAccess             input and output: object = the descriptor, size = bytes moved
//   kSignalSend         peer = the receiving thread + 1, or 0 if it is the process
//   kAtomicSet          the program names an atomic set: object = the set, whose `identity` is the object of
//   the
//                       memory; offset and size = the part of it that belongs to the set
//   kSignal             a handler begins or a waiting thread takes the signal; peer = signal number
struct EventRecord {
  uint32_t thread;
  uint32_t site;
  uint32_t context;
  uint32_t object;
  uint64_t offset;
  union {
    uint32_t size;
    uint32_t peer;
  };
  EventKind kind;
  uint8_t order;
  uint16_t flags;
};
static_assert(sizeof(EventRecord) == 32);

// A loaded ELF file. `path` and `build_id` are offsets into the string table (the id as lower-case hex).
struct ModuleRecord {
  uint32_t path;
  uint32_t build_id;
  uint64_t size;
};
static_assert(sizeof(ModuleRecord) == 16);

// Thread 0 is main. `ordinal` counts the children of one parent from 1, so the path of ordinals is the stable
// name: main, main/1, main/1/2.
struct ThreadRecord {
  uint32_t parent;
  uint32_t ordinal;
  uint32_t create_site;
  uint32_t create_context;
  uint32_t name;  // string given by pthread_setname_np, or 0
  uint32_t flags;
};
static_assert(sizeof(ThreadRecord) == 24);

// A static code position: return address − 1, relative to the module's load address.
struct SiteRecord {
  uint64_t offset;
  uint32_t module;
  uint32_t reserved;
};
static_assert(sizeof(SiteRecord) == 16);

// A node of the calling-context tree: `call_site` in the function of `parent` called into this context.
struct ContextRecord {
  uint32_t parent;
  uint32_t call_site;
};
static_assert(sizeof(ContextRecord) == 8);

// The offset of the top of every stack, wherever it lies in memory; no stack is larger. Counted back from
// there, offsets are the same in every execution, and what lies higher has the larger one as in all memory.
inline constexpr uint64_t kStackTop = uint64_t{1} << 47;

enum class ObjectKind : uint32_t {
  kNone,
  kGlobal,      // owner = module; offsets are module offsets, so one object per module
  kHeap,        // identity = allocation number; site/context of the allocation
  kStack,       // owner = thread; offsets end at kStackTop
  kThread,      // owner = thread (the target of fork and join)
  kMapping,     // mmap'ed memory; identity = mapping number
  kUnknown,     // offsets are raw addresses: memory the runtime has not seen being allocated
  kDescriptor,  // a file, pipe, socket …; owner = its descriptor when first seen, identity = number. Both
                // ends of a pipe are one object
  kAtomicSet,  // owner = string-table offset of its name; identity = object of the memory; site = where it is
               // named
};

struct ObjectRecord {
  ObjectKind kind;
  uint32_t owner;
  uint32_t site;
  uint32_t context;
  uint64_t size;
  uint64_t identity;
};
static_assert(sizeof(ObjectRecord) == 32);

// One choice of a schedule, run-length coded.
enum class StepKind : uint32_t {
  kRun,       // `thread` executes its next `count` operations
  kTimeout,   // the timed wait or sleep of `thread` ends by its timeout now
  kWake,      // the notify just executed wakes `thread`
  kSpurious,  // the wait of `thread` ends now although nobody has woken it
  kFail,      // the `count`-th allocation since the step before fails; `thread` makes it
  kCount
};

struct StepRecord {
  uint32_t thread;
  StepKind kind;
  uint32_t count;
  uint32_t reserved;
};
static_assert(sizeof(StepRecord) == 16);

// A thread as a schedule names it: `ordinal`-th child of entry `parent` of the same table; entry 0 is main.
struct ScheduleThreadRecord {
  uint32_t parent;
  uint32_t ordinal;
};
static_assert(sizeof(ScheduleThreadRecord) == 8);

// One way for an execution to go on. Of the kinds of steps all but kFail.
struct AlternativeRecord {
  uint32_t thread;
  StepKind kind;
};
static_assert(sizeof(AlternativeRecord) == 8);

// A choice with what else could have been chosen, for engines that enumerate schedules: there is one for
// every step, and one of kind kWake for every notify that could wake several.
struct ChoiceRecord {
  uint64_t first_event;        // number of events before it
  uint64_t first_alternative;  // in the table of alternatives
  uint32_t alternatives;       // what was chosen is one of them. If it is the only one, the table has none
  uint32_t thread;
  StepKind kind;
  uint32_t reserved;
};
static_assert(sizeof(ChoiceRecord) == 32);

// A class of locations that several threads use, keyed so that it survives heap reuse and
// rebuilds of the same source: see docs/points.md.
enum class PointKind : uint16_t {
  kGlobal,   // key = hash of the module's file name; offset = module offset
  kHeap,     // key = hash of allocation site and calling context; offset within the object
  kStack,    // key = hash of the thread's path; offset = how far below the top of its stack it begins
  kUnknown,  // key = 0; offset = raw address
};

enum class PointGrade : uint16_t {
  kPoint,       // accesses are scheduling points
  kHandedOver,  // several threads use it, one after the other: accesses are recorded, but no points
};

// length 0 means the whole object (objects with very many shared parts).
struct PointRecord {
  uint64_t key;
  uint64_t offset;
  uint32_t length;
  PointKind kind;
  PointGrade grade;
};
static_assert(sizeof(PointRecord) == 24);

// A basic block (or function entry) that a thread executed at least once. What a thread does alone, before
// any other was created or after all have been joined, is told apart: it is ordered with everything.
struct CoverageRecord {
  uint16_t thread;
  uint16_t is_alone;
  uint32_t site;
};
static_assert(sizeof(CoverageRecord) == 8);

// What a thread that has not ended was waiting for when the execution stopped.
enum class WaitKind : uint32_t {
  kNone,  // it could have gone on
  kLock,
  kReadLock,
  kJoin,
  kCond,
  kSemaphore,
  kBarrier,
  kOnce,
  kFutex,
  kSleep,
  kSpin,
  kInput,
  kSignal,
  kChild,  // the end of a child process
};

struct BlockedRecord {
  uint32_t thread;
  WaitKind wait;
  uint32_t object;
  uint32_t site;
  uint64_t offset;
  uint32_t context;
  uint32_t holder;       // thread + 1 that holds the lock, is joined, or runs the once; 0 if none
  uint32_t holder_site;  // where the holder acquired it
  uint32_t holder_context;
  uint32_t early_notifier;  // thread + 1 whose notify found nobody waiting; 0 if none
  uint32_t early_site;
  uint32_t early_context;
  uint32_t in_cycle;     // 1 if this edge is part of the deadlock's cycle
  uint64_t early_event;  // index of that notify in the event table
};
static_assert(sizeof(BlockedRecord) == 64);

// One side of a race.
struct RaceAccess {
  uint32_t thread;
  uint32_t site;
  uint32_t context;
  uint32_t size;
  uint64_t offset;  // within the race's object
  uint64_t event;   // 1 + its number in the event table; 0 if it was not recorded
  EventKind kind;   // an access, or kFree
  uint8_t reserved;
  uint16_t flags;  // event_flag: kVptr, kRange
  uint32_t reserved_too;
};
static_assert(sizeof(RaceAccess) == 40);

// Two conflicting accesses that nothing orders, or one to memory that had been freed before (first.kind is
// kFree then, and `ordered` is 1). The runtime fills this when asked to detect races; a pair of sites is
// listed once for each two calling contexts, up to a number of them.
struct RaceRecord {
  uint32_t object;
  uint32_t ordered;
  RaceAccess first;
  RaceAccess second;
};
static_assert(sizeof(RaceRecord) == 88);

// X(enumerator, text). The text is the `kind` of findings in JSON.
#define HEDDLE_OUTCOME_KINDS(X)             \
  X(kOk, "ok")                              \
  X(kCrash, "crash")                        \
  X(kAssertion, "assertion")                \
  X(kException, "exception")                \
  X(kExitCode, "exit-code")                 \
  X(kDeadlock, "deadlock")                  \
  X(kLostWakeup, "lost-wakeup")             \
  X(kLivelock, "livelock")                  \
  X(kMisuse, "misuse")                      \
  X(kRace, "race")                          \
  X(kAtomicity, "atomicity")                \
  X(kUseAfterFree, "use-after-free")        \
  X(kOutputDifference, "output-difference") \
  X(kHang, "hang")                          \
  X(kKilled, "killed")                      \
  X(kInternal, "internal-error")

enum class OutcomeKind : uint32_t {
#define HEDDLE_X(name, text) name,
  HEDDLE_OUTCOME_KINDS(HEDDLE_X)
#undef HEDDLE_X
      kCount
};

// Why the runtime ended an execution before its end.
enum class Abandoned : uint32_t {
  kNo,
  kAllAsleep,   // only what the search had put to sleep could go on
  kAssumption,  // heddle_assume() did not hold
  kCount
};

inline constexpr size_t kMaxOutcomeStack = 64;
inline constexpr size_t kMaxOutcomeMessage = 1024;

struct OutcomeRecord {
  OutcomeKind kind;
  uint32_t thread;
  int32_t signal;
  int32_t exit_code;
  uint64_t steps;            // scheduling steps executed
  uint64_t fault_address;    // crash only; raw
  uint64_t diverged_step;    // 1 + the step at which the given schedule could not be followed; 0 = followed
  uint32_t diverged_thread;  // the thread that it wanted
  Abandoned abandoned;       // such an execution is neither good nor bad
  uint32_t site;
  uint32_t context;
  uint32_t object;  // misuse: the object misused
  uint32_t stack_size;
  uint64_t offset;
  uint32_t stack[kMaxOutcomeStack];  // sites, innermost first, if the machine stack could be walked
  char message[kMaxOutcomeMessage];
};

struct TableRecord {
  uint64_t offset;    // from the start of the arena or file
  uint64_t capacity;  // in records (bytes for strings)
  uint64_t count;
};

// X(enumerator, RecordType)
#define HEDDLE_TABLES(X)              \
  X(kStrings, char)                   \
  X(kModules, ModuleRecord)           \
  X(kThreads, ThreadRecord)           \
  X(kSites, SiteRecord)               \
  X(kContexts, ContextRecord)         \
  X(kObjects, ObjectRecord)           \
  X(kSteps, StepRecord)               \
  X(kPoints, PointRecord)             \
  X(kCoverage, CoverageRecord)        \
  X(kBlocked, BlockedRecord)          \
  X(kChoices, ChoiceRecord)           \
  X(kAlternatives, AlternativeRecord) \
  X(kRaces, RaceRecord)               \
  X(kEvents, EventRecord)

enum class TableId : uint32_t {
#define HEDDLE_X(name, type) name,
  HEDDLE_TABLES(HEDDLE_X)
#undef HEDDLE_X
      kCount
};
inline constexpr size_t kTableCount = static_cast<size_t>(TableId::kCount);

// First bytes of a trace file. `command` is a string-table offset of the command line, words separated by
// '\n' (within a word, newline and backslash are written \n and \\). When only the last events were kept,
// `events_dropped` says how many came before the first one kept; when the table was full, `events_lost` says
// how many came after the last one.
struct TraceHeader {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint64_t file_size;
  uint64_t events_dropped;
  uint64_t events_lost;
  uint32_t command;
  uint32_t policy;  // string-table offset of the policy that made the schedule, such as "random seed 7"
  TableRecord tables[kTableCount];
  OutcomeRecord outcome;
};

}  // namespace heddle::trace
