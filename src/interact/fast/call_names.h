// Why a program needs a process, in words.
#pragma once

#include <string>

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

// The end of a sentence: "it calls fork()".
std::string stop_reason(const Machine& machine);

}  // namespace heddle::fast
