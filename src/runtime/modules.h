// The loaded ELF files, and which place of the program an address is.
#pragma once

#include "runtime/heap.h"
#include "runtime/runtime.h"

namespace heddle::rt {

struct Module {
  uintptr_t base;   // load address: what site offsets are relative to
  uintptr_t begin;  // first and last mapped byte
  uintptr_t end;
  uint64_t name_hash;  // of the file name without its folder
  uint32_t record;     // index in the trace's module table
};

// (Re)reads the list of loaded modules; indices of those known already do not change.
void modules_refresh();
uint32_t module_count();
const Module& module_at(uint32_t index);
const char* module_path(uint32_t index);
const char* module_build_id(uint32_t index);  // hexadecimal; empty if it has none
// Index of the module that contains the address, or -1.
int module_of(uintptr_t address);
// Writes the module table of the trace.
void modules_record();

struct Place {
  trace::ObjectKind kind;
  uint32_t owner;  // module or thread
  uint64_t offset;
  HeapObject* heap;  // heap and mapping only
};
Place place_of(uintptr_t address);

}  // namespace heddle::rt
