// System calls, copies and comparisons without a library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/sys.h"

namespace heddle::fast {

inline int64_t raw_call(uint64_t number, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0, uint64_t d = 0,
                        uint64_t e = 0, uint64_t f = 0) {
  const auto signed_value = [](uint64_t value) { return static_cast<long>(value); };
  return rt::sys_call(signed_value(number), signed_value(a), signed_value(b), signed_value(c),
                      signed_value(d), signed_value(e), signed_value(f));
}

inline void copy_bytes(void* to, const void* from, size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

inline void fill_zero(void* to, size_t size) {
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(0) : "memory");
}

inline bool is_same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

inline bool begins_with(const char* text, const char* beginning) {
  while (*beginning != '\0') {
    if (*text++ != *beginning++) return false;
  }
  return true;
}

}  // namespace heddle::fast
