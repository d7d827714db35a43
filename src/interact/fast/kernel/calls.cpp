#include "interact/fast/kernel/calls.h"

#include <asm/prctl.h>
#include <asm/unistd_64.h>
#include <linux/fcntl.h>
#include <sys/resource.h>

#include <cerrno>
#include <ctime>

#include "interact/fast/kernel/files.h"
#include "interact/fast/kernel/memory.h"
#include "interact/fast/kernel/raw.h"

namespace heddle::fast {
namespace {

// As in the sandbox (interact/trial/program_runner.h) in its usual variation.
constexpr int64_t kProcess = 50;
constexpr int64_t kBeginning = 1'577'836'800;  // of time: 2020
constexpr uint64_t kSecond = 1'000'000'000;

constexpr uint64_t kDefault = 0;
constexpr uint64_t kIgnore = 1;
constexpr int kMostSignals = 64;

// What signal() does when nobody cares.
bool is_ignored_by_default(int signal) {
  return signal == 17 || signal == 18 || signal == 23 || signal == 28;  // CHLD, CONT, URG, WINCH
}
bool stops_by_default(int signal) {
  return signal >= 19 && signal <= 22;  // STOP, TSTP, TTIN, TTOU
}

int64_t set_thread_register(Machine* machine, uint64_t operation, uint64_t address) {
  if (operation != ARCH_SET_FS) return need_process(machine, "it calls arch_prctl()");
  machine->program_thread = address;
  if (machine->has_thread_instructions != 0)
    asm volatile("wrfsbase %0" : : "r"(address));
  else
    raw_call(__NR_arch_prctl, ARCH_SET_FS, address);
  return 0;
}

int64_t set_action(Machine* machine, uint64_t signal, uint64_t action, uint64_t old, uint64_t size) {
  if (signal == 0 || signal > kMostSignals || size != 8) return -EINVAL;
  if (action != 0 && (signal == 9 || signal == 19)) return -EINVAL;
  SignalAction* const known = &machine->calls.actions[signal - 1];
  if ((old != 0 && !may_hand_over(*machine, old, sizeof(SignalAction))) ||
      (action != 0 && !may_hand_over(*machine, action, sizeof(SignalAction))))
    return -EFAULT;
  SignalAction next;
  if (action != 0) copy_bytes(&next, reinterpret_cast<const void*>(action), sizeof(next));
  if (old != 0) copy_bytes(reinterpret_cast<void*>(old), known, sizeof(*known));
  if (action != 0) copy_bytes(known, &next, sizeof(next));
  return 0;
}

int64_t change_mask(Machine* machine, uint64_t how, uint64_t set, uint64_t old, uint64_t size) {
  if (size != 8) return -EINVAL;
  if ((old != 0 && !may_hand_over(*machine, old, 8)) || (set != 0 && !may_hand_over(*machine, set, 8)))
    return -EFAULT;
  uint64_t* const mask = &machine->calls.blocked_signals;
  const uint64_t before = *mask;
  if (set != 0) {
    const uint64_t bits = *reinterpret_cast<const uint64_t*>(set);
    if (how > 2) return -EINVAL;
    if (how == 0) *mask |= bits;
    if (how == 1) *mask &= ~bits;
    if (how == 2) *mask = bits;
  }
  if (old != 0) *reinterpret_cast<uint64_t*>(old) = before;
  return 0;
}

int64_t send_signal(Machine* machine, int64_t process, int signal) {
  if (process != kProcess && process != 0 && process != -kProcess)
    return need_process(machine, "it sends signals to others");
  if (signal < 0 || signal > kMostSignals) return -EINVAL;
  if (signal == 0) return 0;
  const SignalAction& action = machine->calls.actions[signal - 1];
  const bool is_blocked = (machine->calls.blocked_signals >> (signal - 1) & 1) != 0 && signal != 9;
  if (is_blocked) return need_process(machine, "it sends itself a signal that waits");
  if (action.handler == kIgnore || (action.handler == kDefault && is_ignored_by_default(signal))) return 0;
  if (action.handler != kDefault) return need_process(machine, "it handles signals");
  if (stops_by_default(signal)) return need_process(machine, "it stops itself");
  return end_by_signal(machine, signal);
}

int64_t set_signal_stack(Machine* machine, uint64_t stack, uint64_t old) {
  uint64_t* const known = machine->calls.signal_stack;
  uint64_t next[3];
  if ((old != 0 && !may_hand_over(*machine, old, sizeof(next))) ||
      (stack != 0 && !may_hand_over(*machine, stack, sizeof(next))))
    return -EFAULT;
  if (stack != 0) copy_bytes(next, reinterpret_cast<const void*>(stack), sizeof(next));
  if (old != 0) copy_bytes(reinterpret_cast<void*>(old), known, sizeof(next));
  if (stack != 0) copy_bytes(known, next, sizeof(next));
  return 0;
}

// Time goes on with every look at it, so that waiting for it ends.
uint64_t now(Machine* machine) {
  machine->calls.time += 1'000;
  return machine->calls.time;
}

int64_t tell_clock(Machine* machine, uint64_t clock, uint64_t to) {
  if (!may_hand_over(*machine, to, 16)) return -EFAULT;
  const uint64_t time = now(machine);
  const bool is_date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  auto* const result = reinterpret_cast<int64_t*>(to);
  result[0] = (is_date ? kBeginning : 0) + static_cast<int64_t>(time / kSecond);
  result[1] = static_cast<int64_t>(time % kSecond);
  return 0;
}

int64_t tell_resolution(const Machine& machine, uint64_t to) {
  if (to == 0) return 0;
  if (!may_hand_over(machine, to, 16)) return -EFAULT;
  reinterpret_cast<int64_t*>(to)[0] = 0;
  reinterpret_cast<int64_t*>(to)[1] = 1;
  return 0;
}

int64_t tell_time_of_day(Machine* machine, uint64_t to) {
  if (to == 0) return 0;
  const int64_t error = tell_clock(machine, CLOCK_REALTIME, to);
  if (error == 0) reinterpret_cast<int64_t*>(to)[1] /= 1'000;
  return error;
}

int64_t tell_seconds(Machine* machine, uint64_t to) {
  if (to != 0 && !may_hand_over(*machine, to, 8)) return -EFAULT;
  const int64_t time = kBeginning + static_cast<int64_t>(now(machine) / kSecond);
  if (to != 0) *reinterpret_cast<int64_t*>(to) = time;
  return time;
}

int64_t sleep(Machine* machine, uint64_t request, bool is_until) {
  if (!may_hand_over(*machine, request, 16)) return -EFAULT;
  if (is_until) return need_process(machine, "it waits for a time");
  const auto* const time = reinterpret_cast<const int64_t*>(request);
  if (time[0] < 0 || time[1] < 0 || time[1] >= static_cast<int64_t>(kSecond)) return -EINVAL;
  // It would take longer than a run may.
  if (time[0] > 1) return need_process(machine, "it sleeps");
  machine->calls.time += static_cast<uint64_t>(time[0]) * kSecond + static_cast<uint64_t>(time[1]);
  return 0;
}

int64_t give_random(Machine* machine, uint64_t to, uint64_t size) {
  if (!may_hand_over(*machine, to, size)) return -EFAULT;
  auto* const bytes = reinterpret_cast<uint8_t*>(to);
  for (uint64_t i = 0; i < size; ++i) {
    machine->calls.random = machine->calls.random * 6364136223846793005U + 1442695040888963407U;
    bytes[i] = static_cast<uint8_t>(machine->calls.random >> 56);
  }
  return static_cast<int64_t>(size);
}

int64_t limit(Machine* machine, uint64_t process, uint64_t resource, uint64_t next, uint64_t old) {
  if (next != 0) return need_process(machine, "it changes its limits");
  if (process != 0 && process != static_cast<uint64_t>(kProcess))
    return need_process(machine, "it asks about limits of others");
  if (old == 0) return 0;
  if (!may_hand_over(*machine, old, 16)) return -EFAULT;
  auto* const result = reinterpret_cast<uint64_t*>(old);
  if (resource == RLIMIT_STACK)
    result[0] = result[1] = kStackSize;
  else if (resource == RLIMIT_AS)
    result[0] = result[1] = machine->memory_limit;
  else if (resource == RLIMIT_FSIZE)
    result[0] = result[1] = machine->output_limit;
  else if (resource == RLIMIT_CORE)
    result[0] = result[1] = 0;
  else
    return raw_call(__NR_prlimit64, 0, resource, 0, old);
  return 0;
}

int64_t tell_usage(Machine* machine, uint64_t to) {
  constexpr uint64_t kSize = 144;
  if (!may_hand_over(*machine, to, kSize)) return -EFAULT;
  fill_zero(reinterpret_cast<void*>(to), kSize);
  reinterpret_cast<int64_t*>(to)[1] = static_cast<int64_t>(now(machine) / 1'000 % 1'000'000);
  return 0;
}

int64_t set_umask(Machine* machine, uint64_t mask) {
  const uint32_t before = machine->calls.umask;
  machine->calls.umask = static_cast<uint32_t>(mask & 0777);
  return before;
}

int64_t end_by_exit(Machine* machine, uint64_t code) {
  machine->exit_code = static_cast<int>(code & 0xff);
  machine->stop = static_cast<uint64_t>(Stop::kExit);
  return 0;
}

int64_t wake(Machine* machine, uint64_t operation) {
  constexpr uint64_t kWake = 1;
  return (operation & 127) == kWake ? 0 : need_process(machine, "it waits for other threads");
}

int64_t unknown(Machine* machine, uint64_t number) {
  if (machine->stop != 0) return 0;
  machine->unknown_call = static_cast<int64_t>(number);
  machine->reason = nullptr;
  machine->stop = static_cast<uint64_t>(Stop::kNeedsProcess);
  return -ENOSYS;
}

// What is rare.
int64_t emulate_other(Machine* machine, const CallArguments& with, uint64_t number) {
  switch (number) {
    case __NR_arch_prctl:
      return set_thread_register(machine, with.first, with.second);
    case __NR_set_tid_address:
    case __NR_getpid:
    case __NR_gettid:
      return kProcess;
    case __NR_getppid:
      return 1;
    case __NR_getuid:
    case __NR_geteuid:
    case __NR_getgid:
    case __NR_getegid:
      return raw_call(number);
    case __NR_uname:
      if (!may_hand_over(*machine, with.first, 6 * 65)) return -EFAULT;
      return raw_call(number, with.first);
    case __NR_set_robust_list:
    case __NR_sched_yield:
      return 0;
    case __NR_rseq:
    case __NR_statx:  // the library makes do with others
      return -ENOSYS;
    case __NR_futex:
      return wake(machine, with.second);
    case __NR_rt_sigaction:
      return set_action(machine, with.first, with.second, with.third, with.fourth);
    case __NR_rt_sigprocmask:
      return change_mask(machine, with.first, with.second, with.third, with.fourth);
    case __NR_sigaltstack:
      return set_signal_stack(machine, with.first, with.second);
    case __NR_kill:
    case __NR_tkill:
      return send_signal(machine, static_cast<int32_t>(with.first), static_cast<int32_t>(with.second));
    case __NR_tgkill:
      return send_signal(machine, static_cast<int32_t>(with.first), static_cast<int32_t>(with.third));
    case __NR_alarm:
      // Longer than a run may take, if it is for the program's own safety.
      machine->calls.has_alarm = with.first != 0;
      return 0;
    case __NR_clock_gettime:
      return tell_clock(machine, with.first, with.second);
    case __NR_clock_getres:
      return tell_resolution(*machine, with.second);
    case __NR_gettimeofday:
      return tell_time_of_day(machine, with.first);
    case __NR_time:
      return tell_seconds(machine, with.first);
    case __NR_nanosleep:
      return sleep(machine, with.first, false);
    case __NR_clock_nanosleep:
      return sleep(machine, with.third, with.second != 0);
    case __NR_getrusage:
      return tell_usage(machine, with.second);
    case __NR_getrandom:
      return give_random(machine, with.first, with.second);
    case __NR_prlimit64:
      return limit(machine, with.first, with.second, with.third, with.fourth);
    case __NR_getrlimit:
      return limit(machine, 0, with.first, 0, with.second);
    case __NR_umask:
      return set_umask(machine, with.first);
    case __NR_chdir:
      return change_folder(machine, with.first);
    case __NR_readlink:
      return read_link(machine, with.first, with.second, with.third);
    case __NR_readlinkat:
      return read_link(machine, with.second, with.third, with.fourth);
    case __NR_access:
      return access_path(machine, static_cast<uint64_t>(AT_FDCWD), with.first, with.second);
    case __NR_faccessat:
    case __NR_faccessat2:
      return access_path(machine, with.first, with.second, with.third);
    case __NR_dup:
      return copy_descriptor(machine, with.first, 0, false);
    case __NR_dup2:
      return copy_descriptor_to(machine, with.first, with.second, false);
    case __NR_dup3:
      if (with.first == with.second) return -EINVAL;
      return copy_descriptor_to(machine, with.first, with.second, (with.third & O_CLOEXEC) != 0);
    case __NR_fcntl:
      return control_file(machine, with.first, with.second, with.third);
    case __NR_fsync:
    case __NR_fdatasync:
      return sync_file(machine, with.first);
    case __NR_fadvise64:
      return sync_file(machine, with.first) == -EBADF ? -EBADF : 0;
    case __NR_close_range:
      return close_files(machine, with.first, with.second, with.third);
    case __NR_mprotect:
      return protect_memory(machine, with.first, with.second, with.third);
    case __NR_madvise:
      return advise_memory(machine, with.first, with.second, with.third);
    case __NR_mremap:
      return move_memory(machine, with.first, with.second, with.third, with.fourth);
    case HEDDLE_FAST_GIVE_UP_CALL:
      return need_process(machine, machine->feedback->damages_heap != 0
                                       ? "it writes beyond what it has allocated, or frees it twice"
                                       : "it allocates memory in an unusual way");
    default:
      return unknown(machine, number);
  }
}

}  // namespace

int64_t need_process(Machine* machine, const char* reason) {
  if (machine->stop != 0) return 0;
  machine->reason = reason;
  machine->stop = static_cast<uint64_t>(Stop::kNeedsProcess);
  return -ENOSYS;
}

int64_t end_by_signal(Machine* machine, int signal) {
  machine->signal = signal;
  machine->stop = static_cast<uint64_t>(Stop::kSignal);
  return 0;
}

bool has_default_action(const Machine& machine, int signal) {
  const SignalAction& action = machine.calls.actions[signal - 1];
  // A fault cannot be ignored.
  return action.handler == kDefault || action.handler == kIgnore;
}

int64_t heddle_fast_emulate(Machine* machine, const CallArguments* arguments, uint64_t number) {
  const CallArguments& with = *arguments;
  switch (number) {
    case __NR_read:
      return read_file(machine, with.first, with.second, with.third);
    case __NR_write:
      return write_file(machine, with.first, with.second, with.third);
    case __NR_newfstatat:
      return describe_path(machine, with.first, with.second, with.third, with.fourth);
    case __NR_fstat:
      return describe_file(machine, with.first, with.second);
    case __NR_stat:
    case __NR_lstat:
      return describe_path(machine, static_cast<uint64_t>(AT_FDCWD), with.first, with.second, 0);
    case __NR_lseek:
      return seek_file(machine, with.first, static_cast<int64_t>(with.second), with.third);
    case __NR_exit:
    case __NR_exit_group:
      return end_by_exit(machine, with.first);
    case __NR_brk:
      return change_heap_end(machine, with.first);
    case __NR_mmap:
      return map_memory(machine, {with.first, with.second, with.third, with.fourth, with.fifth, with.sixth});
    case __NR_munmap:
      return unmap_memory(machine, with.first, with.second);
    case __NR_openat:
      return open_file(machine, with.first, with.second, with.third);
    case __NR_open:
      return open_file(machine, static_cast<uint64_t>(AT_FDCWD), with.first, with.second);
    case __NR_close:
      return close_file(machine, with.first);
    case __NR_readv:
      return read_parts(machine, with.first, with.second, with.third);
    case __NR_writev:
      return write_parts(machine, with.first, with.second, with.third);
    case __NR_pread64:
      return read_file_at(machine, with.first, with.second, with.third, with.fourth);
    case __NR_ioctl:
      return control_device(machine, with.first);
    default:
      return emulate_other(machine, with, number);
  }
}

}  // namespace heddle::fast
