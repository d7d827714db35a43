// Which allocation an address belongs to.
//
// Every allocation has an entry in a hash table keyed by its start. To find the start below an interior
// address, memory is divided into chunks; each chunk in use has a bitmap of starts with one summary level,
// and knows the object that reaches into it from a chunk before. All tables are small and close together,
// because each execution of the fork server pays for every page it touches.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

struct HeapObject {
  uintptr_t base;
  size_t size;
  uint64_t key;     // hash of allocation site and calling context; see point_set.h
  uint64_t number;  // allocations are numbered in order: the identity in traces
  uintptr_t pc;
  uint32_t context;
  uint32_t record;     // index in the trace's object table, or 0 …
  uint32_t execution;  // number of the one that allocated it …
  uint32_t recorded;   // … and of the one that recorded it
  trace::ObjectKind kind;
  bool freed;  // kept until its memory is used again, so that a use after free still has a name
};

void heap_init();
HeapObject* heap_add(uintptr_t base, size_t size, trace::ObjectKind kind, uintptr_t pc);
// The allocation, live or freed, that contains the address, or null.
HeapObject* heap_find(uintptr_t address);
HeapObject* heap_find_start(uintptr_t base);
void heap_for_each(void (*visit)(const HeapObject&));

}  // namespace heddle::rt
