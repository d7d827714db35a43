// An interpreter of small multithreaded programs, to test searches without a runtime.
//
// A program is a list of instructions for each thread. Instructions on shared things are steps; tests and
// jumps on a thread's own registers belong to the step before them, as in the real runtime. An execution
// follows a plan and gives an observation and the final state.
#pragma once

#include <array>
#include <string>

#include "explore/strategy.h"

namespace heddle {

enum class Code {
  // Shared variables. The variable is `target`, plus a register if `index` is not -1.
  kRead,      // reg = variable
  kWrite,     // variable = value, plus a register if `from` is not -1
  kFetchAdd,  // reg = variable; variable += value
  kExchange,  // compare-exchange: if variable == expected then variable = value (+from); reg = succeeded
  kLock,
  kUnlock,
  kTryLock,    // reg = succeeded
  kTimedLock,  // reg = succeeded
  kReadLock,
  kReadUnlock,
  kWait,       // condition `target`, mutex `value`
  kTimedWait,  // reg = 1 if notified
  kNotifyOne,
  kNotifyAll,
  kSemWait,
  kTimedSemWait,  // reg = succeeded
  kSemTryWait,    // reg = succeeded
  kSemPost,
  kBarrier,  // for `value` threads
  kFork,
  kJoin,
  kExit,  // ends the process
  // Of the thread itself.
  kSet,     // reg = value
  kAdd,     // reg += value
  kSkipIf,  // if reg == expected, skip `value` instructions
  kJumpIf,  // if reg == expected, jump `value` instructions (backwards if negative)
  kSkipUnless,
  kAssertNot,  // fails if reg == expected
};

struct Instruction {
  Code code;
  int target = 0;
  int value = 0;
  int reg = 0;
  int expected = 0;
  int index = -1;
  int from = -1;
  int line = 0;  // for statements; 0: its own place in the program
};

struct Program {
  std::vector<std::vector<Instruction>> threads;  // all run from the beginning but those that are forked
  std::vector<int> variables;                     // initial values
  std::vector<int> semaphores;
  int mutexes = 1;
  int barriers = 1;
  bool spurious = false;     // waits may end for no reason
  uint32_t patience = 1000;  // steps that one thread may run on while others could
  uint32_t max_steps = 100'000;
};

// Adding to the value that a register holds, and so on.
Instruction read(int variable, int reg = 0);
Instruction write(int variable, int value);
Instruction on(Code code, int target = 0, int value = 0, int reg = 0);

struct Run {
  Observation seen;
  std::string final_state;  // variables, registers, and how it ended
};

Run interpret(const Program& program, const Plan& plan);

std::string print(const Program& program);

}  // namespace heddle
