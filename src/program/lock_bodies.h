// Whether what is called a lock can keep anybody out: `struct NullMutex { void lock() {} void unlock() {} };`
// cannot, nor can a guard of it.
#pragma once

#include <optional>
#include <vector>

#include "program/program.h"

namespace heddle::program {

class LockBodies {
 public:
  // `program` must outlive this.
  explicit LockBodies(const Program& program) : program_(program), known_(program.size()) {}

  // It, or what it calls, does something atomic, or something that the program does not show.
  bool may_exclude(const Unit& unit, uint32_t symbol);

 private:
  bool may_exclude(FunctionIndex function);
  bool may_exclude(const Unit& unit, const Op& op);

  const Program& program_;
  std::vector<std::optional<bool>> known_;
};

}  // namespace heddle::program
