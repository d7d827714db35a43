// A stand-in for the runtime that speaks the fork-server protocol of trace/arena.h and nothing else: it does
// not schedule. With it the tool's side is tested against servers and programs that misbehave at will.
//
// What an execution leaves in the arena is made up but deterministic: one step, and one more learned point
// per point that it was given, up to kLearnablePoints.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "trace/arena.h"

namespace {

using namespace heddle::trace;

constexpr uint64_t kLearnablePoints = 3;

ArenaHeader* arena = nullptr;

template <typename Record, typename Table>
void append(Table& table, const Record& record) {
  std::memcpy(reinterpret_cast<char*>(arena) + table.offset + table.count * sizeof(Record), &record,
              sizeof(Record));
  ++table.count;
}

TableRecord& table(TableId id) {
  return arena->tables[static_cast<size_t>(id)];
}
TableRecord& table(ArenaTableId id) {
  return arena->arena_tables[static_cast<size_t>(id)];
}

void attach() {
  const char* options = std::getenv("HEDDLE_OPTIONS");
  const char* name = options == nullptr ? nullptr : std::strstr(options, "arena=");
  if (name == nullptr) return;
  const int fd = std::atoi(name + std::strlen("arena="));
  void* head = ::mmap(nullptr, kArenaHeaderRoom, PROT_READ, MAP_SHARED, fd, 0);
  if (head == MAP_FAILED) ::_exit(3);
  const uint64_t size = static_cast<ArenaHeader*>(head)->arena_size;
  ::munmap(head, kArenaHeaderRoom);
  arena = static_cast<ArenaHeader*>(
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0));
  arena->ready = 1;
}

void tell(char reply) {
  if (::write(arena->reply_fd, &reply, 1) != 1) ::_exit(3);
}

void begin_execution() {
  append(table(TableId::kThreads), ThreadRecord{});
  append(table(TableId::kSteps), StepRecord{0, StepKind::kRun, 1, 0});
  arena->outcome.steps = 1;
  arena->saw_instrumented = 1;
  const uint64_t given = table(ArenaTableId::kInputPoints).count;
  if ((arena->request.flags & request_flag::kLearn) != 0 && given < kLearnablePoints) {
    append(table(ArenaTableId::kLearned),
           PointRecord{1, 8 * given, 8, PointKind::kGlobal, PointGrade::kPoint});
  }
}

// Returns in every child; the server itself never does.
void serve() {
  tell('R');
  char command;
  while (::read(arena->request_fd, &command, 1) == 1 && command == 'G') {
    const pid_t server = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != server) ::_exit(0);
      begin_execution();
      return;
    }
    ++arena->executions;
    int status = 0;
    struct rusage usage{};
    ::wait4(child, &status, 0, &usage);
    ::kill(-child, SIGKILL);  // what it left behind
    arena->start_error = 0;
    arena->wait_status = status;
    arena->cpu_nanoseconds = static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
    arena->max_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
    tell(::waitpid(-1, nullptr, WNOHANG) < 0 ? 'D' : 'L');
  }
  ::_exit(0);
}

using MainFunction = int (*)(int, char**, char**);

}  // namespace

extern "C" {

void __tsan_init() {}

// What the real runtime does when it has recognised a failure.
void heddle_fake_announce(uint32_t kind) {
  arena->outcome.kind = static_cast<OutcomeKind>(kind);
}

// What a broken program can do to shared memory.
void heddle_fake_scribble() {
  for (TableRecord& each : arena->tables) each = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  arena->outcome.kind = static_cast<OutcomeKind>(12345);
  std::memset(arena->outcome.message, 'x', sizeof(arena->outcome.message));
  arena->start_error = 1;
}

// The end of an execution as the real runtime records it, or all of it but that.
void heddle_fake_record(uint32_t kind) {
  append(table(TableId::kEvents), EventRecord{.kind = static_cast<EventKind>(kind)});
}

// A record that names what does not exist, as a signal handler leaves it that comes at the wrong time.
void heddle_fake_tear(uint32_t kind) {
  append(table(TableId::kBlocked), BlockedRecord{.thread = 1000, .wait = WaitKind::kLock});
  append(table(ArenaTableId::kLearned), PointRecord{1, 8, 8, static_cast<PointKind>(77), PointGrade::kPoint});
  arena->arena_tables[0] = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  arena->prewarm_threads = ~0u;
  arena->outcome.thread = 1000;
  heddle_fake_announce(kind);
}

int __libc_start_main(MainFunction main_function, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  using StartMain = int (*)(MainFunction, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<StartMain>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  attach();
  if (std::getenv("FAKE_DIES_AT_START") != nullptr) ::_exit(9);
  if (arena != nullptr) serve();
  return real(main_function, argc, argv, init, fini, rtld_fini, stack_end);
}

}  // extern "C"
