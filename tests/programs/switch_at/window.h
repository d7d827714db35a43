// How the programs of this folder prove that one operation is a scheduling point.
//
// One thread opens a window, executes the operation under test, and closes the window again. Another thread
// looks whether the window is open, and fails if so. Since the window is accessed by inline assembly alone,
// which nothing instruments, heddle can show the failure only by a switch at that operation: nothing else
// happens in between. `nothing.cpp` and `private_accesses.cpp` are the controls: no operation, no failure.
#pragma once

#include <pthread.h>

#include <cassert>

#define HEDDLE_INLINE inline __attribute__((always_inline))

// A bit of shared memory that heddle does not see.
class HiddenFlag {
 public:
  HEDDLE_INLINE void set(int value) { asm volatile("movl %1, %0" : "=m"(value_) : "r"(value) : "memory"); }
  HEDDLE_INLINE int get() const {
    int value;
    asm volatile("movl %1, %0" : "=r"(value) : "m"(value_) : "memory");
    return value;
  }

 private:
  int value_ = 0;
};

class Window {
 public:
  HEDDLE_INLINE void open() { flag_.set(1); }
  HEDDLE_INLINE void close() { flag_.set(0); }
  HEDDLE_INLINE bool is_open() const { return flag_.get() != 0; }

 private:
  HiddenFlag flag_;
};
inline Window window;

using Body = void (*)();

inline void* run_body(void* body) {
  reinterpret_cast<Body>(body)();
  return nullptr;
}

inline pthread_t start(Body body) {
  pthread_t thread;
  pthread_create(&thread, nullptr, run_body, reinterpret_cast<void*>(body));
  return thread;
}

inline void look() {
  assert(!window.is_open());
}

// Runs `operate` in a thread of its own, and `observe` in another.
inline void watch(Body operate, Body observe = look) {
  const pthread_t operator_thread = start(operate);
  const pthread_t observer_thread = start(observe);
  pthread_join(operator_thread, nullptr);
  pthread_join(observer_thread, nullptr);
}

// The same with `operate` in the calling thread.
inline void watch_here(Body operate, Body observe = look) {
  const pthread_t observer_thread = start(observe);
  operate();
  pthread_join(observer_thread, nullptr);
}
