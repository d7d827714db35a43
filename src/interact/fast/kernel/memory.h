// The program's memory: system calls about it.
#pragma once

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

int64_t change_heap_end(Machine* machine, uint64_t end);

struct MapRequest {
  uint64_t address;
  uint64_t size;
  uint64_t protection;
  uint64_t flags;
  uint64_t descriptor;
  uint64_t offset;
};
int64_t map_memory(Machine* machine, const MapRequest& request);
int64_t unmap_memory(Machine* machine, uint64_t address, uint64_t size);
int64_t move_memory(Machine* machine, uint64_t address, uint64_t old_size, uint64_t size, uint64_t flags);
int64_t protect_memory(Machine* machine, uint64_t address, uint64_t size, uint64_t protection);
int64_t advise_memory(Machine* machine, uint64_t address, uint64_t size, uint64_t advice);

}  // namespace heddle::fast
