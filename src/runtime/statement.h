// Which statement a thread is about to execute, by the key that the tool knows it under (trace/statement.h).
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Of the operation that the thread has announced; found once for each.
uint64_t statement_of(Fiber* fiber);
// Of its place alone, without calls.
uint64_t site_key_of(const Fiber* fiber);

}  // namespace heddle::rt
