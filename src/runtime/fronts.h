// Whose call was it? std::thread::join and the like live uninstrumented in libstdc++.so, so the caller that a
// threading call sees is libstdc++. For the functions in fronts.inc we stand in front: each notes its own
// caller and jumps on to the real one. A call that comes from the C++ library is then put down to that caller.
#pragma once

#include "runtime/runtime.h"

extern "C" __attribute__((visibility("hidden"))) uintptr_t heddle_front_pc;

namespace heddle::rt {

// Where the C++ library's code is; empty in C programs.
extern uintptr_t cxx_library_begin __attribute__((visibility("hidden")));
extern uintptr_t cxx_library_size __attribute__((visibility("hidden")));

void fronts_init();

inline uintptr_t program_pc(uintptr_t caller) {
  return HEDDLE_UNLIKELY(caller - cxx_library_begin < cxx_library_size) && heddle_front_pc != 0 ? heddle_front_pc
                                                                                                : caller;
}

}  // namespace heddle::rt

#define HEDDLE_PROGRAM_PC ::heddle::rt::program_pc(HEDDLE_CALLER_PC)
