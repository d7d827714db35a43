#include "runtime/startup.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "runtime/address_space.h"
#include "runtime/code_pages.h"
#include "runtime/drop_in.h"
#include "runtime/failure.h"
#include "runtime/finalizers.h"
#include "runtime/point_set.h"
#include "runtime/sync.h"
#include "runtime/sys.h"
#include "runtime/thread_shell.h"

// The program may have one, as for ThreadSanitizer.
extern "C" __attribute__((weak, visibility("default"))) const char* __tsan_default_options();

namespace heddle::rt {

const char* environment_value(char** environment, const char* name) {
  const size_t length = text_length(name);
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    if (text_starts(*environment, name) && (*environment)[length] == '=') return *environment + length + 1;
  }
  return nullptr;
}

namespace {

// Programs that the program starts are not ours: they must not see the tool's settings.
void remove_environment(char** environment, const char* name) {
  const size_t length = text_length(name);
  char** to = environment;
  for (char** from = environment; *from != nullptr; ++from) {
    if (text_starts(*from, name) && (*from)[length] == '=') continue;
    *to++ = *from;
  }
  *to = nullptr;
}

uint64_t parse_number(const char* text) {
  uint64_t value = 0;
  while (*text >= '0' && *text <= '9') value = value * 10 + static_cast<uint64_t>(*text++ - '0');
  return value;
}

// What the user wrote is wrong, as opposed to a runtime that cannot go on: exit code 2.
[[noreturn]] void refuse_options(const char* what, const char* name, const char* rest, const char* more) {
  char buffer[512];
  Text text(buffer, sizeof buffer);
  text.add("heddle: HEDDLE_OPTIONS ").add(what).add(name).add(rest).add(more).add("\n");
  sys_write(2, buffer, text.size());
  sys_exit_group(2);
}

constexpr const char* kOptionNames =
#define HEDDLE_FLAG(type, flag, initial, help) ", " #flag
#include "runtime/flags.inc"
#undef HEDDLE_FLAG
    ;
constexpr size_t kSeparator = 2;  // before the first name

bool is_number(const char* text) {
  if (*text == 0) return false;
  for (; *text != 0; ++text) {
    if (*text < '0' || *text > '9') return false;
  }
  return true;
}

void set_flag(const char*, Options::Text* flag, const char* value) {
  *flag = value;
}
void set_flag(const char* name, Options::Number* flag, const char* value) {
  if (!is_number(value)) refuse_options("has no whole number for ", name, ": ", value);
  *flag = parse_number(value);
}

void set_option(const char* name, const char* value) {
#define HEDDLE_FLAG(type, flag, initial, help) \
  if (text_equal(name, #flag)) return set_flag(name, &options.flag, value);
#include "runtime/flags.inc"
#undef HEDDLE_FLAG
  refuse_options("names an unknown option ", name, "; options: ", kOptionNames + kSeparator);
}

// name=value:name=value; cut up in place.
void parse_options(const char* text) {
  init_memory();
  const size_t room = text_length(text) + 1;
  char* at = static_cast<char*>(own_memory(room));
  Text(at, room).add(text);
  while (*at != 0) {
    char* name = at;
    while (*at != 0 && *at != '=' && *at != ':') ++at;
    char* value = at;
    if (*at == '=') {
      *at++ = 0;
      value = at;
      while (*at != 0 && *at != ':') ++at;
    }
    if (*at == ':') *at++ = 0;
    if (*name != 0) set_option(name, value);
  }
}

bool is_separator(char c) {
  return c == ':' || c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r';
}

uint64_t parse_switch(const char* text) {
  return text_equal(text, "true") || text_equal(text, "yes") ? 1 : parse_number(text);
}

// Of ThreadSanitizer's options those that mean something here.
void set_tsan_option(const char* name, const char* value) {
  if (text_equal(name, "exitcode")) options.exitcode = parse_number(value);
  if (text_equal(name, "halt_on_error")) options.halt_on_error = parse_switch(value);
  if (text_equal(name, "report_bugs")) options.report_bugs = parse_switch(value);
  if (text_equal(name, "log_path")) options.log_path = value;
  if (text_equal(name, "suppressions")) options.suppressions = value;
  if (text_equal(name, "print_suppressions")) options.print_suppressions = parse_switch(value);
}

// name=value:name="value", in a copy that is cut up and stays. What comes later has precedence.
void parse_tsan_options(const char* text) {
  if (text == nullptr) return;
  init_memory();
  const size_t room = text_length(text) + 1;
  char* at = static_cast<char*>(own_memory(room));
  Text(at, room).add(text);
  while (*at != 0) {
    while (is_separator(*at)) ++at;
    const char* name = at;
    while (*at != 0 && *at != '=' && !is_separator(*at)) ++at;
    if (*at != '=') continue;
    *at++ = 0;
    const char quote = *at == '"' || *at == '\'' ? *at++ : 0;
    const char* value = at;
    while (*at != 0 && (quote != 0 ? *at != quote : !is_separator(*at))) ++at;
    if (*at != 0) *at++ = 0;
    set_tsan_option(name, value);
  }
}

__attribute__((constructor(101))) void on_load(int, char**, char** environment) {
  if (__tsan_default_options != nullptr) parse_tsan_options(__tsan_default_options());
  if (const char* text = environment_value(environment, "HEDDLE_OPTIONS")) parse_options(text);
  parse_tsan_options(environment_value(environment, "TSAN_OPTIONS"));
  if (options.arena[0] != 0) {
    remove_environment(environment, "HEDDLE_OPTIONS");
    remove_environment(environment, "LD_PRELOAD");
  }
  drop_in_init(environment);
  init_runtime();
}

struct TableSize {
  uint64_t record;
  uint64_t capacity;
};

// Room for drop-in use: enough to run, with just the tail of the events.
constexpr TableSize kPrivateTables[] = {
    {1, 1u << 20},  // strings
    {sizeof(trace::ModuleRecord), 1024},
    {sizeof(trace::ThreadRecord), kMaxFibers},
    {sizeof(trace::SiteRecord), 1u << 20},
    {sizeof(trace::ContextRecord), 1u << 22},
    {sizeof(trace::ObjectRecord), 1u << 24},
    {sizeof(trace::StepRecord), uint64_t{1} << 32},
    {sizeof(trace::PointRecord), 1},
    {sizeof(trace::CoverageRecord), 1},
    {sizeof(trace::BlockedRecord), kMaxFibers},
    {sizeof(trace::ChoiceRecord), 1},
    {sizeof(trace::AlternativeRecord), 1},
    {sizeof(trace::RaceRecord), 1u << 12},
    {sizeof(trace::EventRecord), 1u << 16},
};
static_assert(sizeof kPrivateTables / sizeof kPrivateTables[0] == trace::kTableCount);

constexpr TableSize kPrivateArenaTables[] = {
    {sizeof(trace::ScheduleThreadRecord), kMaxFibers},
    {sizeof(trace::StepRecord), 1u << 28},
    {sizeof(trace::PointRecord), 1u << 20},
    {sizeof(trace::AsleepRecord), 1},
    {sizeof(uint64_t), 1},
    {sizeof(uint64_t), 1},
    {sizeof(trace::ConstraintRecord), 1},
    {sizeof(trace::PointRecord), 1u << 18},
};
static_assert(sizeof kPrivateArenaTables / sizeof kPrivateArenaTables[0] == trace::kArenaTableCount);

template <size_t kCount>
uint64_t lay_out(const TableSize (&sizes)[kCount], uint64_t at, trace::TableRecord* tables) {
  for (size_t i = 0; i < kCount; ++i) {
    if (tables != nullptr) tables[i] = {at, sizes[i].capacity, 0};
    at += (sizes[i].record * sizes[i].capacity + 4095) & ~uint64_t{4095};
  }
  return at;
}

constexpr const char* kPolicyNames =
#define HEDDLE_X(name, label, help) ", " label
    HEDDLE_PLAIN_POLICIES(HEDDLE_X)
#undef HEDDLE_X
        "; pct with its depth, as in pct:2";

bool wants_os_threads(const char* backend) {
  if (text_equal(backend, "os")) return true;
  if (text_equal(backend, "fibers")) return false;
  refuse_options("names an unknown backend ", backend, "; backends: ", "fibers, os");
}

bool timeouts_when_idle(const char* text) {
  if (text_equal(text, "idle")) return true;
  if (text_equal(text, "any")) return false;
  refuse_options("has no such timeouts: ", text, "; there are: any, idle", "");
}

void use_private_arena() {
  make_private_arena();
  trace::RequestRecord& request = rt.arena->request;
  if (!find_policy(options.policy, &request.policy, &request.pct_depth))
    refuse_options("names an unknown policy ", options.policy, "; policies: ", policy_names());
  request.seed = options.seed;
  request.max_steps = options.max_steps;
  request.spurious_wakeups = static_cast<uint32_t>(options.spurious_wakeups);
  request.allocation_failures = static_cast<uint32_t>(options.allocation_failures);
  const bool detects = options.detect_races != 0;
  request.flags = (detects ? trace::request_flag::kDetectRaces
                           : trace::request_flag::kRecordEvents | trace::request_flag::kRingEvents) |
                  (options.spin_parking == 0 ? trace::request_flag::kNoSpinParking : 0) |
                  (wants_os_threads(options.backend) ? trace::request_flag::kOsThreads : 0) |
                  (timeouts_when_idle(options.timeouts) ? trace::request_flag::kTimeoutsWhenIdle : 0);
}

void map_arena(const char* where) {
  const bool inherited = is_number(where);
  const long fd = inherited ? static_cast<long>(parse_number(where))
                            : sys_call(SYS_open, address_of(where), O_RDWR | O_CLOEXEC);
  struct stat info{};
  if (fd < 0 || sys_call(SYS_fstat, fd, address_of(&info)) < 0) give_up("cannot open the arena ", where);
  const auto map = [&](uintptr_t at, long size, long flags) {
    const long base = sys_call(SYS_mmap, static_cast<long>(at), size, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE | flags, fd, 0);
    if (base != static_cast<long>(at)) give_up("cannot map the arena ", where);
    return reinterpret_cast<char*>(base);
  };
  rt.arena_base = map(kArenaBase, info.st_size, MAP_FIXED_NOREPLACE);
  rt.arena = reinterpret_cast<trace::ArenaHeader*>(map(kArenaFront, trace::kArenaHeaderRoom, MAP_FIXED));
  sys_call(SYS_close, fd);
  for (size_t i = 0; i < sizeof trace::kArenaMagic; ++i) {
    if (rt.arena->magic[i] != trace::kArenaMagic[i]) give_up("this is no arena: ", where);
  }
  if (rt.arena->version != trace::kFormatVersion)
    give_up("the tool and the runtime are of different versions");
  rt.with_tool = true;
}

// The tool's end of the protocol. A copy, since a broken program can write over the arena.
struct Channel {
  int request_fd;
  int reply_fd;

  void send(char message) const { sys_write(reply_fd, &message, 1); }
  char receive() const {
    char message = 'Q';
    long n;
    do n = sys_call(SYS_read, request_fd, address_of(&message), 1);
    while (n == -4 /* EINTR */);
    return n == 1 ? message : 'Q';
  }
  void close() const {
    sys_call(SYS_close, request_fd);
    sys_call(SYS_close, reply_fd);
  }
};

// What the program has started and not waited for becomes the server's child when the program ends. Whether
// any of it still runs.
bool reap_orphans() {
  long result;
  do result = sys_call(SYS_wait4, -1, 0, WNOHANG, 0);
  while (result > 0);
  return result == 0;
}

void pin_to_core(int cpu) {
  if (cpu < 0) return;
  uint64_t mask[16] = {};
  mask[cpu / 64] = uint64_t{1} << (cpu % 64);
  sys_call(SYS_sched_setaffinity, 0, sizeof mask, address_of(mask));
}

}  // namespace

bool find_policy(const char* text, trace::PolicyKind* policy, uint32_t* depth) {
#define HEDDLE_X(name, label, help) \
  if (text_equal(text, label)) return *policy = trace::PolicyKind::name, true;
  HEDDLE_PLAIN_POLICIES(HEDDLE_X)
#undef HEDDLE_X
  if (!text_starts(text, "pct:")) return false;
  *policy = trace::PolicyKind::kPct;
  *depth = static_cast<uint32_t>(parse_number(text + 4));
  return true;
}

const char* policy_names() {
  return kPolicyNames + kSeparator;
}

void make_private_arena() {
  const uint64_t size =
      lay_out(kPrivateArenaTables, lay_out(kPrivateTables, trace::kArenaHeaderRoom, nullptr), nullptr);
  rt.arena_base = static_cast<char*>(own_memory(size));
  rt.arena = reinterpret_cast<trace::ArenaHeader*>(rt.arena_base);
  rt.arena->arena_size = size;
  const uint64_t at = lay_out(kPrivateTables, trace::kArenaHeaderRoom, rt.arena->tables);
  lay_out(kPrivateArenaTables, at, rt.arena->arena_tables);
}

void attach_arena() {
  if (options.arena[0] != 0)
    map_arena(options.arena);
  else
    use_private_arena();
}

namespace {
trace::ArenaHeader* kept_arena;
char* kept_arena_base;
}  // namespace

trace::ArenaHeader* arena_for_exploration() {
  return kept_arena;
}

void use_arena_for_exploration() {
  rt.arena = kept_arena;
  rt.arena_base = kept_arena_base;
}

void keep_arena_for_exploration() {
  if (rt.arena->request.exploration == 0) return;
  kept_arena = rt.arena;
  // Until the exploration comes: however the program ends, this is what the tool finds.
  kept_arena->outcome.kind = trace::OutcomeKind::kInternal;
  Text(kept_arena->outcome.message, sizeof kept_arena->outcome.message)
      .add("the program ended before its exploration ")
      .add(kept_arena->request.exploration);
  kept_arena_base = rt.arena_base;
  use_private_arena();
  rt.arena->request = {.policy = trace::PolicyKind::kNonpreemptive, .max_steps = options.max_steps};
}

void detach_from_tool() {
  if (!rt.with_tool) return;
  const trace::RequestRecord request = rt.arena->request;
  use_private_arena();
  rt.arena->request = request;
  rt.with_tool = false;
  rt.request.flags &=
      ~(trace::request_flag::kDetectRaces | trace::request_flag::kRecordEvents | trace::request_flag::kLearn |
        trace::request_flag::kCoverage | trace::request_flag::kRecordChoices);
}

void serve() {
  pin_to_core(rt.arena->cpu);
  code_pages_init();
  const long server = sys_call(SYS_getpid);
  const long tid = address_of(find_own_tid());
  const Channel tool{rt.arena->request_fd, rt.arena->reply_fd};
  tool.send('R');
  for (;;) {
    if (tool.receive() != 'G') sys_exit_group(0);
    shells_prepare(rt.arena->prewarm_threads);
    prepare_execution();
    code_pages_before_execution();
    // glibc's fork would reclaim the stacks of the shells, and costs several times more.
    const long pid = sys_call(SYS_clone, SIGCHLD | (tid != 0 ? CLONE_CHILD_SETTID : 0), 0, 0, tid, 0);
    if (pid == 0) {
      sys_call(SYS_setpgid, 0, 0);
      sys_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
      if (sys_call(SYS_getppid) != server) sys_exit_group(0);  // it died before we asked to be told
      tool.close();
      return;
    }
    int status = 0;
    struct rusage usage{};
    bool processes_left = false;
    if (pid > 0) {
      sys_call(SYS_wait4, pid, address_of(&status), 0, address_of(&usage));
      processes_left = reap_orphans();
      if (processes_left) sys_call(SYS_kill, -pid, SIGKILL);
    }
    code_pages_after_execution();
    rt.arena->start_error = pid < 0 ? static_cast<int32_t>(-pid) : 0;
    rt.arena->wait_status = status;
    rt.arena->cpu_nanoseconds =
        static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
        static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
    rt.arena->max_rss_kb = static_cast<uint64_t>(usage.ru_maxrss);
    rt.arena->executions++;
    tool.send(processes_left ? 'L' : 'D');
  }
}

}  // namespace heddle::rt

using namespace heddle::rt;

namespace {
namespace trace = heddle::trace;
using Main = int(int, char**, char**);
Main* program_main;
void (*real_loader_fini)();

// Whether fflush(nullptr) would write anything; to ask it costs more, in pages of code that nobody else uses.
bool output_is_pending() {
  static HEDDLE_REAL Real<FILE*> all_files{"_IO_list_all"};
  if (!all_files.exists()) return true;
  for (const FILE* file = *all_files.get(); file != nullptr; file = file->_chain) {
    if (file->_mode > 0 || file->_IO_write_ptr > file->_IO_write_base) return true;
  }
  return false;
}

// glibc calls this after the program's exit handlers and static destructors, before those of its libraries.
void controlled_fini() {
  static HEDDLE_REAL Real<int(FILE*)> real_fflush{"fflush"};
  exit_point_after_handlers();
  const bool served = rt.with_tool && rt.arena->server != 0;
  if (served) code_pages_report();
  if (served && rt.exiting && !finalizers_matter()) {
    rt.inside = true;
    if (output_is_pending()) real_fflush(nullptr);
    sys_exit_group(rt.exit_code);
  }
  if (!rt.with_tool) {
    const int code = drop_in_exit_code(rt.exit_code);
    if (code != rt.exit_code) {
      rt.inside = true;
      real_fflush(nullptr);
      sys_exit_group(code);
    }
  }
  if (real_loader_fini != nullptr) real_loader_fini();
}

int controlled_main(int count, char** arguments, char** environment) {
  exit(program_main(count, arguments, environment));
}
}  // namespace

namespace heddle::rt {

namespace {
bool started;
}

bool executions_started() {
  return started;
}

void start_executions(uintptr_t main_stack_top) {
  if (started) {
    rt.current->stack_top = main_stack_top;
    return;
  }
  started = true;
  init_executions(main_stack_top);
  if (rt.with_tool && rt.arena->server != 0) {
    serve();
  } else {
    dump_threads();
    prepare_execution();
  }
  begin_execution();
}

}  // namespace heddle::rt

// Before the program's static initialisers.
HEDDLE_EXPORT int __libc_start_main(Main* main, int count, char** arguments, void (*init)(), void (*fini)(),
                                    void (*loader_fini)(), void* stack_end) {
  static HEDDLE_REAL Real<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)> real_start{
      "__libc_start_main"};
  init_runtime();
  program_main = main;
  real_loader_fini = loader_fini;
  start_executions(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  return real_start(controlled_main, count, arguments, init, fini, controlled_fini, stack_end);
}
