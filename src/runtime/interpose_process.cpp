// Child processes: fork, waiting for them, and the library's ways to run a command.
//
// In a forked child only the forking thread lives on, and the tool's arena is left alone. A child can be
// reached by every descriptor that it inherits, so what could come from there may come from outside.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "runtime/address_space.h"
#include "runtime/explore.h"
#include "runtime/io.h"
#include "runtime/signal_delivery.h"
#include "runtime/startup.h"
#include "runtime/sync.h"
#include "runtime/timers.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

// pthread_atfork's handlers synchronise like any code, so they run under control, not inside glibc's fork.
struct AtFork {
  void (*prepare)();
  void (*parent)();
  void (*child)();
};
inline constexpr size_t kMaxAtFork = 1024;
LazyArray<AtFork, kMaxAtFork> at_fork;
size_t at_fork_count;

void become_the_only_thread() {
  detach_from_tool();
  end_exploring();
  rt.current->kernel_thread = static_cast<pid_t>(sys_call(SYS_gettid));
  rt.live[0] = rt.current;
  rt.live_count = 1;
  rt.blocked_count = 0;
  rt.parked_count = 0;
  rt.input_waiters = 0;
  rt.service_count = 0;
  rt.unjoined = 0;
  rt.outside_signals = 0;
  timers_forget();
  forget_pending_signals();
  update_kernel_mask();
}

pid_t fork_process(bool with_handlers, uintptr_t pc) {
  static HEDDLE_REAL Real<pid_t()> real_fork{"fork"};
  simple_point(EventKind::kAccess, 0, pc);
  record_event({.kind = EventKind::kAccess, .pc = pc, .flags = flag::kPoint});
  const size_t handlers = with_handlers ? at_fork_count : 0;
  for (size_t i = handlers; i > 0; --i) {
    if (at_fork[i - 1].prepare != nullptr) at_fork[i - 1].prepare();
  }
  note_child_process();
  rt.inside = true;
  const pid_t child = real_fork();
  if (child == 0) become_the_only_thread();
  rt.inside = false;
  for (size_t i = 0; i < handlers; ++i) {
    void (*const handler)() = child == 0 ? at_fork[i].child : at_fork[i].parent;
    if (handler != nullptr) handler();
  }
  return child;
}

struct ChildWait {
  int type;  // as waitid takes them
  id_t id;
  int options;
};

bool has_changed(const Op& op) {
  const auto* wait = reinterpret_cast<const ChildWait*>(op.argument);
  siginfo_t info{};
  const long error = sys_call(SYS_waitid, wait->type, static_cast<long>(wait->id), address_of(&info),
                              wait->options | WNOHANG | WNOWAIT, 0);
  return error != 0 || info.si_pid != 0;
}

// Waits for a child, then executes `call`, which will find it.
long wait_for_child(ChildWait wait, bool returns_at_once, const SystemCall& call, uintptr_t pc) {
  for (;;) {
    Op op;
    op.kind = EventKind::kAccess;
    op.wait = WaitKind::kChild;
    op.pc = pc;
    op.enabled = returns_at_once ? nullptr : has_changed;
    op.argument = address_of(&wait);
    op.on_signal = OnSignal::kRestart;
    if (input_point(op) == PointResult::kInterrupted) return -EINTR;
    const long result = call();
    record_sync(EventKind::kAccess, 0, pc, flag::kPoint | (result < 0 ? flag::kFailed : 0));
    if (result == 0 && returns_at_once) {
      spin_note_read(kChannelBase, 1, pc, 0);
      give_outside_time();
    }
    if (result != 0 || returns_at_once || call.argument(0) != wait.type) return result;
  }
}

ChildWait wait_of_pid(pid_t pid, int options) {
  const int kinds =
      WEXITED | ((options & WUNTRACED) != 0 ? WSTOPPED : 0) | (options & (WCONTINUED | __WALL | __WCLONE));
  if (pid > 0) return {P_PID, static_cast<id_t>(pid), kinds};
  if (pid == -1) return {P_ALL, 0, kinds};
  return {P_PGID, static_cast<id_t>(-pid), kinds};
}

pid_t wait_for_pid(pid_t pid, int* status, int options, rusage* usage, uintptr_t pc) {
  const SystemCall call(SYS_wait4, pid, status, options, usage);
  const ChildWait wait = wait_of_pid(pid, options);
  return static_cast<pid_t>(io_result(wait_for_child(wait, (options & WNOHANG) != 0, call, pc)));
}

int run_shell(const char* command, const posix_spawn_file_actions_t* actions, pid_t* child) {
  static HEDDLE_REAL Real<int(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*)>
      real_spawn{"posix_spawn"};
  const char* const arguments[] = {"sh", "-c", command, nullptr};
  note_spawned_process();
  InsideScope inside;
  return real_spawn(child, "/bin/sh", actions, nullptr, const_cast<char* const*>(arguments), environ);
}

// Streams made by popen.
struct Command {
  Command* next;
  FILE* stream;
  pid_t child;
};
Command* commands;
FreeList<Command> free_commands;

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void*) {
  if (at_fork_count == kMaxAtFork) return ENOMEM;
  at_fork[at_fork_count++] = {prepare, parent, child};
  return 0;
}
HEDDLE_EXPORT int pthread_atfork(void (*prepare)(), void (*parent)(), void (*child)()) {
  return __register_atfork(prepare, parent, child, nullptr);
}

HEDDLE_EXPORT pid_t fork() {
  static HEDDLE_REAL Real<pid_t()> real_fork{"fork"};
  return controlled() ? fork_process(true, HEDDLE_PROGRAM_PC) : real_fork();
}
// The child of a true vfork would run on in the memory of this process, runtime included.
HEDDLE_EXPORT pid_t vfork() {
  static HEDDLE_REAL Real<pid_t()> real_fork{"fork"};
  return controlled() ? fork_process(false, HEDDLE_PROGRAM_PC) : real_fork();
}

HEDDLE_EXPORT pid_t wait4(pid_t pid, int* status, int options, rusage* usage) {
  if (!controlled())
    return static_cast<pid_t>(
        io_result(sys_call(SYS_wait4, pid, address_of(status), options, address_of(usage))));
  return wait_for_pid(pid, status, options, usage, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT pid_t wait3(int* status, int options, rusage* usage) {
  if (!controlled())
    return static_cast<pid_t>(
        io_result(sys_call(SYS_wait4, -1, address_of(status), options, address_of(usage))));
  return wait_for_pid(-1, status, options, usage, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (!controlled())
    return static_cast<pid_t>(io_result(sys_call(SYS_wait4, pid, address_of(status), options, 0)));
  return wait_for_pid(pid, status, options, nullptr, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT pid_t wait(int* status) {
  if (!controlled()) return static_cast<pid_t>(io_result(sys_call(SYS_wait4, -1, address_of(status), 0, 0)));
  return wait_for_pid(-1, status, 0, nullptr, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  const SystemCall call(SYS_waitid, static_cast<long>(type), static_cast<long>(id), info, options, 0);
  if (!controlled()) return static_cast<int>(io_result(call()));
  const ChildWait wait{static_cast<int>(type), id, options & (WEXITED | WSTOPPED | WCONTINUED)};
  return static_cast<int>(io_result(wait_for_child(wait, (options & WNOHANG) != 0, call, HEDDLE_PROGRAM_PC)));
}

HEDDLE_EXPORT int system(const char* command) {
  static HEDDLE_REAL Real<int(const char*)> real_system{"system"};
  if (!controlled() || command == nullptr) return real_system(command);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  pid_t child;
  if (const int error = run_shell(command, nullptr, &child); error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (wait_for_pid(child, &status, 0, nullptr, pc) == -1) {
    if (errno != EINTR) return -1;
  }
  return status;
}

HEDDLE_EXPORT FILE* popen(const char* command, const char* mode) {
  static HEDDLE_REAL Real<FILE*(const char*, const char*)> real_popen{"popen"};
  static HEDDLE_REAL Real<FILE*(int, const char*)> real_fdopen{"fdopen"};
  if (!controlled()) return real_popen(command, mode);
  bool reads = false;
  bool closes = false;
  for (const char* at = mode; *at != 0; ++at) {
    reads |= *at == 'r';
    closes |= *at == 'e';
  }
  int ends[2];
  if (io_result(sys_call(SYS_pipe2, address_of(ends), O_CLOEXEC)) != 0) return nullptr;
  const int own = ends[reads ? 0 : 1];
  const int given = ends[reads ? 1 : 0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, given, reads ? 1 : 0);
  // POSIX: streams of earlier calls are closed in the child.
  for (const Command* other = commands; other != nullptr; other = other->next) {
    posix_spawn_file_actions_addclose(&actions, fileno(other->stream));
  }
  pid_t child;
  const int error = run_shell(command, &actions, &child);
  posix_spawn_file_actions_destroy(&actions);
  sys_call(SYS_close, given);
  if (error != 0) {
    sys_call(SYS_close, own);
    errno = error;
    return nullptr;
  }
  if (!closes) sys_call(SYS_fcntl, own, F_SETFD, 0);
  FILE* stream = real_fdopen(own, reads ? "r" : "w");
  Command* const entry = free_commands.take();
  *entry = {commands, stream, child};
  commands = entry;
  return stream;
}

HEDDLE_EXPORT int pclose(FILE* stream) {
  static HEDDLE_REAL Real<int(FILE*)> real_pclose{"pclose"};
  static HEDDLE_REAL Real<int(FILE*)> real_fclose{"fclose"};
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  for (Command** at = &commands; *at != nullptr; at = &(*at)->next) {
    Command* const entry = *at;
    if (entry->stream != stream) continue;
    const pid_t child = entry->child;
    *at = entry->next;
    free_commands.give_back(entry);
    real_fclose(stream);
    io_happened();
    int status = 0;
    while (wait_for_pid(child, &status, 0, nullptr, pc) == -1) {
      if (errno != EINTR) return -1;
    }
    return status;
  }
  return real_pclose(stream);
}

HEDDLE_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const* arguments,
                              char* const* environment) {
  static HEDDLE_REAL Real<int(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*)>
      real_spawn{"posix_spawn"};
  if (controlled()) note_spawned_process();
  return real_spawn(child, path, actions, attributes, arguments, environment);
}
HEDDLE_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* arguments,
                               char* const* environment) {
  static HEDDLE_REAL Real<int(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*)>
      real_spawn{"posix_spawnp"};
  if (controlled()) note_spawned_process();
  return real_spawn(child, file, actions, attributes, arguments, environment);
}
