// Whose call was it? std::thread::join and the like live uninstrumented in libstdc++.so, so the caller that a
// threading call sees is libstdc++. For the functions in fronts.inc we stand in front: each notes its own
// caller and jumps on to the real one. A call that comes from the C++ library is then put down to that caller.
#pragma once

#include "runtime/runtime.h"

extern "C" __attribute__((visibility("hidden"))) uintptr_t heddle_front_pc;

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

inline uintptr_t program_pc(uintptr_t caller) {
  const bool on_behalf = cxx_library.contains(caller) || own_library.contains(caller);
  return HEDDLE_UNLIKELY(on_behalf) && heddle_front_pc != 0 ? heddle_front_pc : caller;
}

}  // namespace heddle::rt

#define HEDDLE_PROGRAM_PC ::heddle::rt::program_pc(HEDDLE_CALLER_PC)
