// What a program asks of Linux.
#pragma once

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

// As switch.S pushes them.
struct CallArguments {
  uint64_t sixth;
  uint64_t fifth;
  uint64_t fourth;
  uint64_t third;
  uint64_t second;
  uint64_t first;
  uint64_t back;
};

// The result, which matters only if machine->stop is still kNone.
extern "C" int64_t heddle_fast_emulate(Machine* machine, const CallArguments* arguments, uint64_t number);

// Ends the run. The reason is a constant, the end of a sentence about the program.
int64_t need_process(Machine* machine, const char* reason);
int64_t end_by_signal(Machine* machine, int signal);

// Whether a fault of that kind ends the program (true), or it wants to know of it.
bool has_default_action(const Machine& machine, int signal);

}  // namespace heddle::fast
