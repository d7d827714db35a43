// memcpy and friends: block accesses. gcc leaves them as plain calls; clang calls __tsan_memcpy.
#include <cstring>

#include "runtime/access.h"
#include "runtime/sync.h"

using namespace heddle::rt;

namespace {

HEDDLE_REAL Real<void*(void*, const void*, size_t)> real_memcpy{"memcpy"};
HEDDLE_REAL Real<void*(void*, const void*, size_t)> real_memmove{"memmove"};
HEDDLE_REAL Real<void*(void*, int, size_t)> real_memset{"memset"};
HEDDLE_REAL Real<int(const void*, const void*, size_t)> real_memcmp{"memcmp"};

// Before the dynamic linker has finished, the real functions cannot be looked up.
bool early() {
  return HEDDLE_UNLIKELY(!rt.memory_ready);
}

void* copy(void* to, const void* from, size_t size, uintptr_t pc) {
  if (early()) {
    copy_bytes(to, from, size);
    return to;
  }
  access_copy(address_of(to), address_of(from), size, pc);
  return real_memcpy(to, from, size);
}

void* move(void* to, const void* from, size_t size, uintptr_t pc) {
  access_copy(address_of(to), address_of(from), size, pc);
  return real_memmove(to, from, size);
}

void* fill(void* to, int value, size_t size, uintptr_t pc) {
  if (early()) {
    fill_bytes(to, value, size);
    return to;
  }
  access_range(address_of(to), size, true, pc);
  return real_memset(to, value, size);
}

void read_text(const char* text, uintptr_t pc) {
  if (controlled()) access_range(address_of(text), text_length(text) + 1, false, pc);
}

}  // namespace

HEDDLE_EXPORT void* memcpy(void* to, const void* from, size_t size) {
  return copy(to, from, size, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* memmove(void* to, const void* from, size_t size) {
  return move(to, from, size, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* memset(void* to, int value, size_t size) {
  return fill(to, value, size, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, size_t size) {
  return copy(to, from, size, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, size_t size) {
  return move(to, from, size, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* __tsan_memset(void* to, int value, size_t size) {
  return fill(to, value, size, HEDDLE_CALLER_PC);
}

HEDDLE_EXPORT int memcmp(const void* a, const void* b, size_t size) {
  const uintptr_t pc = HEDDLE_CALLER_PC;
  access_range(address_of(a), size, false, pc);
  access_range(address_of(b), size, false, pc);
  return real_memcmp(a, b, size);
}

HEDDLE_EXPORT size_t strlen(const char* text) {
  static HEDDLE_REAL Real<size_t(const char*)> real_strlen{"strlen"};
  if (early()) return text_length(text);
  if (!controlled()) return real_strlen(text);
  const size_t length = real_strlen(text);
  access_range(address_of(text), length + 1, false, HEDDLE_CALLER_PC);
  return real_strlen(text);  // another thread may have changed it at the scheduling point
}

HEDDLE_EXPORT int strcmp(const char* a, const char* b) {
  static HEDDLE_REAL Real<int(const char*, const char*)> real_strcmp{"strcmp"};
  if (early()) return text_equal(a, b) ? 0 : 1;
  read_text(a, HEDDLE_CALLER_PC);
  read_text(b, HEDDLE_CALLER_PC);
  return real_strcmp(a, b);
}

HEDDLE_EXPORT char* strcpy(char* to, const char* from) {
  static HEDDLE_REAL Real<char*(char*, const char*)> real_strcpy{"strcpy"};
  if (controlled()) {
    read_text(from, HEDDLE_CALLER_PC);
    access_range(address_of(to), text_length(from) + 1, true, HEDDLE_CALLER_PC);
  }
  return real_strcpy(to, from);
}

HEDDLE_EXPORT char* strncpy(char* to, const char* from, size_t size) {
  static HEDDLE_REAL Real<char*(char*, const char*, size_t)> real_strncpy{"strncpy"};
  if (controlled()) {
    static HEDDLE_REAL Real<size_t(const char*, size_t)> real_strnlen{"strnlen"};
    access_range(address_of(from), real_strnlen(from, size), false, HEDDLE_CALLER_PC);
    access_range(address_of(to), size, true, HEDDLE_CALLER_PC);
  }
  return real_strncpy(to, from, size);
}

HEDDLE_EXPORT char* strcat(char* to, const char* from) {
  static HEDDLE_REAL Real<char*(char*, const char*)> real_strcat{"strcat"};
  if (controlled()) {
    read_text(from, HEDDLE_CALLER_PC);
    read_text(to, HEDDLE_CALLER_PC);
    access_range(address_of(to) + text_length(to), text_length(from) + 1, true, HEDDLE_CALLER_PC);
  }
  return real_strcat(to, from);
}
