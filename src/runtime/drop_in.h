// Drop-in use: the program runs without the tool, with heddle's runtime in the place of ThreadSanitizer's.
// Races are told on standard error when they are found, in ThreadSanitizer's words, and make the exit code.
//
// The runtime knows no names. It starts the tool (`heddle tell-races`) beside the program, which reads a copy
// of the tables, prints the report and says whether a suppression holds for it. If there is no tool, the
// report has modules and offsets instead of names, as ThreadSanitizer's has without its symbolizer.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

void drop_in_init(char** environment);
// The race with this number has just been found, at `address`. May end the process. False if it is
// suppressed.
bool drop_in_tell_race(uint64_t number, uintptr_t address);
// The exit code of a process that would exit with `code`.
int drop_in_exit_code(int code);

}  // namespace heddle::rt
