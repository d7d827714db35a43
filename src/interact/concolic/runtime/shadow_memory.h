// Which byte of memory has which expression: pages of handles, made when a byte of a page gets its first
// expression.
//
// The instrumented code looks into the filter first (layout.h): no call for memory that has none.
#pragma once

#include <stddef.h>

#include "interact/concolic/layout.h"

extern "C" uint8_t heddle_concolic_filter[heddle::concolic::kFilterSize];

namespace heddle::concolic {

// Handles of width 8; 0 clears.
void set_byte(uintptr_t address, uint32_t handle);
uint32_t byte_at(uintptr_t address);

// The expression of `size` bytes (up to 8), little endian, whose concrete value is `value`; 0 if there is
// none.
uint32_t load_bytes(uintptr_t address, uint32_t size, uint64_t value);
void store_bytes(uintptr_t address, uint32_t size, uint32_t handle);

bool has_expressions(uintptr_t address, size_t size);
void clear_bytes(uintptr_t address, size_t size);
void copy_bytes(uintptr_t to, uintptr_t from, size_t size);

}  // namespace heddle::concolic
