// ProgramMemory: what a program's memory was before main(), and how it becomes that again.
//
// Pages that a run writes to are found by their protection (kernel/memory.cpp), once: they then stay usable
// and are restored before each run, since the next run writes to the same ones. Now and then they are all
// protected again, so that what only an unusual run needs is not restored for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "interact/fast/kernel/machine.h"
#include "support/error.h"

namespace heddle::fast {

class ProgramMemory {
 public:
  explicit ProgramMemory(Machine* machine) : machine_(machine) {}
  ProgramMemory(const ProgramMemory&) = delete;
  ProgramMemory& operator=(const ProgramMemory&) = delete;
  ~ProgramMemory();

  // Address space for what a program may use later; nothing is in it yet.
  Expected<void> reserve();
  // All that the program can write now is what it begins with. The copy cannot be written any more, by
  // nobody.
  Expected<void> take_snapshot();
  void restore();

  // A copy of the program's read-only pages is not kept: nothing can write them.
  size_t snapshot_bytes() const { return snapshot_bytes_; }

 private:
  struct HostMemory {
    void* address;
    size_t size;
  };
  void* allocate(size_t size);
  bool copy_pages(uint64_t begin, uint64_t end, const uint8_t** origins);
  Expected<void> add_region(uint64_t begin, uint64_t end, RegionKind kind, bool is_readable, uint64_t filled);
  void forget_ranges();
  void protect_used();

  Machine* machine_;
  std::vector<HostMemory> allocated_;
  size_t snapshot_bytes_ = 0;
  uint32_t runs_ = 0;
  uint32_t quiet_runs_ = 0;  // since the last one with many faults
};

}  // namespace heddle::fast
