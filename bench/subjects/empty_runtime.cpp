// A stand-in for ThreadSanitizer's runtime that does nothing: what is left is the price of calling it. No
// runtime, whatever it does, can make an instrumented program faster than this.
#include <cstdint>
#include <cstring>

#define HEDDLE_EMPTY(name) \
  extern "C" void __tsan_##name(void*) {}
HEDDLE_EMPTY(init)
HEDDLE_EMPTY(func_entry)
HEDDLE_EMPTY(func_exit)
HEDDLE_EMPTY(vptr_read)
HEDDLE_EMPTY(vptr_update)
HEDDLE_EMPTY(read_range)
HEDDLE_EMPTY(write_range)
#define HEDDLE_EMPTY_ACCESSES(size)  \
  HEDDLE_EMPTY(read##size)           \
  HEDDLE_EMPTY(write##size)          \
  HEDDLE_EMPTY(unaligned_read##size) \
  HEDDLE_EMPTY(unaligned_write##size)
HEDDLE_EMPTY_ACCESSES(1)
HEDDLE_EMPTY_ACCESSES(2)
HEDDLE_EMPTY_ACCESSES(4)
HEDDLE_EMPTY_ACCESSES(8)
HEDDLE_EMPTY_ACCESSES(16)

extern "C" void* __tsan_memcpy(void* to, const void* from, size_t size) {
  return std::memcpy(to, from, size);
}
extern "C" void* __tsan_memmove(void* to, const void* from, size_t size) {
  return std::memmove(to, from, size);
}
extern "C" void* __tsan_memset(void* to, int value, size_t size) {
  return std::memset(to, value, size);
}
extern "C" uint64_t __tsan_atomic64_load(const uint64_t* address, int) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
extern "C" uint64_t __tsan_atomic64_fetch_add(uint64_t* address, uint64_t value, int) {
  return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);
}
