// Whose call was it? std::thread::join and the like live uninstrumented in libstdc++.so, so the caller that a
// threading call sees is libstdc++. For the functions in fronts.inc we stand in front: each notes its own
// caller and jumps on to the real one. A call that comes from the C++ library is then put down to that
// caller.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Code that calls on behalf of the program: the C++ library (absent in C programs), and our own C11 wrappers.
struct CodeRange {
  uintptr_t begin;
  uintptr_t size;
  bool contains(uintptr_t pc) const { return pc - begin < size; }
};
extern CodeRange cxx_library __attribute__((visibility("hidden")));
extern CodeRange own_library __attribute__((visibility("hidden")));

void fronts_init();

// The library function is still running if its return address is where it was, above us on the stack.
inline uintptr_t program_pc(uintptr_t caller) {
  if (HEDDLE_LIKELY(!cxx_library.contains(caller) && !own_library.contains(caller))) return caller;
  const Fiber* self = rt.current;
  if (self == nullptr || self->front_sp < reinterpret_cast<uintptr_t>(__builtin_frame_address(0)))
    return caller;
  return *reinterpret_cast<const uintptr_t*>(self->front_sp) == self->front_pc ? self->front_pc : caller;
}

// Called by wrappers of our own, whose frame is on the stack while they run.
inline __attribute__((always_inline)) void note_front() {
  if (rt.current == nullptr) return;
  rt.current->front_pc = HEDDLE_CALLER_PC;
  rt.current->front_sp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + sizeof(uintptr_t);
}

}  // namespace heddle::rt

#define HEDDLE_PROGRAM_PC ::heddle::rt::program_pc(HEDDLE_CALLER_PC)
