// A thread shell: the stack and thread-local block of a glibc thread, without its kernel thread.
//
// A real pthread_create makes them, so that everything glibc keeps per thread is right. The new kernel thread
// notes where they are and leaves by raw system call without touching its stack, so glibc believes it alive
// and keeps both; the process is single-threaded again, and a fiber moves in.
#pragma once

#include <pthread.h>

#include "runtime/runtime.h"

namespace heddle::rt {

struct Shell {
  pthread_t handle;
  uintptr_t fs_base;
  uintptr_t stack_top;
  uintptr_t stack_low;
  uintptr_t stack_end;  // above the thread-local storage, which glibc puts at the top of the stack
  pid_t* tid;           // where glibc keeps the id of the kernel thread: 0, until there is one again
  bool used;            // another thread lived in it before
};

// Where glibc keeps the kernel's id of the calling thread.
pid_t* find_own_tid();

// Takes a ready shell for default attributes, or makes one. Returns 0 or an errno value.
int shell_acquire(const pthread_attr_t* attributes, Shell* shell);
// Executions that follow one another in one process use the same shells, in the same order. Those taken since
// shells_lend() go back with shells_take_back(), but for the dropped ones.
void shells_lend();
void shells_take_back();
void shell_drop(pthread_t handle);
void shells_end_lending();
// Fork server: makes sure that `count` default shells are ready before children are made.
void shells_prepare(uint32_t count);

}  // namespace heddle::rt
