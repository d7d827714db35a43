// fork in the program: only the forking thread lives on in the child, which leaves the tool's arena alone.
#include <unistd.h>

#include "runtime/startup.h"
#include "runtime/sync.h"

using namespace heddle::rt;

HEDDLE_EXPORT pid_t fork() {
  static HEDDLE_REAL Real<pid_t()> real_fork{"fork"};
  if (!controlled()) return real_fork();
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  simple_point(heddle::trace::EventKind::kAccess, 0, pc);
  record_event(
      {.kind = heddle::trace::EventKind::kAccess, .pc = pc, .flags = heddle::trace::event_flag::kPoint});
  rt.inside = true;
  const pid_t child = real_fork();
  if (child == 0) {
    detach_from_tool();
    rt.live[0] = rt.current;
    rt.live_count = 1;
    rt.blocked_count = 0;
    rt.parked_count = 0;
  }
  rt.inside = false;
  return child;
}
