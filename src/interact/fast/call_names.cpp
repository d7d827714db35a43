#include "interact/fast/call_names.h"

#include <sys/syscall.h>

#include <map>

#include <fmt/format.h>

namespace heddle::fast {

std::string stop_reason(const Machine& machine) {
  if (machine.reason != nullptr) return machine.reason;
  static const std::map<int64_t, const char*> reasons = {
      {SYS_clone, "it starts threads or processes"},
      {SYS_clone3, "it starts threads or processes"},
      {SYS_fork, "it starts processes"},
      {SYS_vfork, "it starts processes"},
      {SYS_execve, "it executes programs"},
      {SYS_execveat, "it executes programs"},
      {SYS_wait4, "it waits for processes"},
      {SYS_socket, "it uses sockets"},
      {SYS_socketpair, "it uses sockets"},
      {SYS_pipe, "it uses pipes"},
      {SYS_pipe2, "it uses pipes"},
      {SYS_poll, "it waits for its files"},
      {SYS_ppoll, "it waits for its files"},
      {SYS_select, "it waits for its files"},
      {SYS_pselect6, "it waits for its files"},
      {SYS_unlink, "it removes files"},
      {SYS_unlinkat, "it removes files"},
      {SYS_rename, "it renames files"},
      {SYS_renameat, "it renames files"},
      {SYS_renameat2, "it renames files"},
      {SYS_mkdir, "it makes folders"},
      {SYS_mkdirat, "it makes folders"},
      {SYS_rmdir, "it removes folders"},
      {SYS_getcwd, "it asks for its folder"},
      {SYS_getdents64, "it lists a folder"},
      {SYS_ftruncate, "it changes the size of a file"},
      {SYS_setitimer, "it sets a timer"},
      {SYS_timer_create, "it sets a timer"},
      {SYS_memfd_create, "it makes a file in memory"},
      {SYS_pause, "it waits for a signal"},
      {SYS_rt_sigsuspend, "it waits for a signal"},
  };
  const auto known = reasons.find(machine.unknown_call);
  if (known != reasons.end()) return known->second;
  return fmt::format("it makes system call {}", machine.unknown_call);
}

}  // namespace heddle::fast
