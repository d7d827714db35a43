// Which functions acquire and release locks, by their names: pthread, C11, std, and any class with lock() and
// unlock().
#pragma once

#include <cstdint>
#include <string>

#include "program/facts.h"

namespace heddle::program {

struct LockOperation {
  enum class Kind : uint8_t {
    kOther,
    kLock,         // acquires what the arguments point to: one, or with `all_arguments` each
    kUnlock,       // releases what the first argument points to
    kGuard,        // constructs a guard, the first argument, of the locks the others point to
    kGuardLock,    // lock() of a guard
    kGuardUnlock,  // unlock() or the destructor of a guard; release() leaves the lock held
  };
  Kind kind = Kind::kOther;
  bool is_shared = false;
  bool is_attempt = false;     // may fail
  bool is_deferred = false;    // a guard that does not lock yet
  bool is_taken_over = false;  // a guard of what is locked already: adopted, or another guard's
  bool all_arguments = false;
  // Of a class that is not known to be a lock: it is one if it has unlock() as well (std::weak_ptr has not).
  std::string of_class;
};

LockOperation lock_operation(const Symbol& symbol);

}  // namespace heddle::program
