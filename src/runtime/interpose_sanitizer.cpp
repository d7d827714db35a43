// The rest of the sanitizers' public interface (sanitizer/common_interface_defs.h, allocator_interface.h,
// tsan_interface.h): what a program that was linked with libtsan may call. Reports, suppressions and heap
// statistics are ThreadSanitizer's business; here they are accepted and mean nothing.
#include "runtime/access.h"
#include "runtime/runtime.h"

using namespace heddle::rt;

namespace {
Real<size_t(void*)> HEDDLE_REAL real_usable_size{"malloc_usable_size"};

template <typename T>
T unaligned_load(const void* address, uintptr_t pc) {
  access_range(reinterpret_cast<uintptr_t>(address), sizeof(T), false, pc);
  T value;
  __builtin_memcpy(&value, address, sizeof value);
  return value;
}

template <typename T>
void unaligned_store(void* address, T value, uintptr_t pc) {
  access_range(reinterpret_cast<uintptr_t>(address), sizeof(T), true, pc);
  __builtin_memcpy(address, &value, sizeof value);
}

int no_text(char* buffer, size_t size) {
  if (size != 0) *buffer = 0;
  return 0;
}
}  // namespace

#define HEDDLE_UNALIGNED(bits)                                                      \
  HEDDLE_EXPORT uint##bits##_t __sanitizer_unaligned_load##bits(const void* p) {    \
    return unaligned_load<uint##bits##_t>(p, HEDDLE_CALLER_PC);                     \
  }                                                                                 \
  HEDDLE_EXPORT void __sanitizer_unaligned_store##bits(void* p, uint##bits##_t v) { \
    unaligned_store(p, v, HEDDLE_CALLER_PC);                                        \
  }
HEDDLE_UNALIGNED(16)
HEDDLE_UNALIGNED(32)
HEDDLE_UNALIGNED(64)
#undef HEDDLE_UNALIGNED

HEDDLE_EXPORT void __sanitizer_set_report_path(const char*) {}
HEDDLE_EXPORT void __sanitizer_set_report_fd(void*) {}
HEDDLE_EXPORT const char* __sanitizer_get_report_path() {
  return "stderr";
}
HEDDLE_EXPORT void __sanitizer_set_death_callback(void (*)()) {}
HEDDLE_EXPORT void __sanitizer_report_error_summary(const char*) {}
HEDDLE_EXPORT void __sanitizer_print_stack_trace() {}
HEDDLE_EXPORT void __sanitizer_sandbox_on_notify(void*) {}
HEDDLE_EXPORT int __sanitizer_acquire_crash_state() {
  return 1;
}
HEDDLE_EXPORT void __sanitizer_symbolize_pc(void*, const char*, char* buffer, size_t size) {
  no_text(buffer, size);
}
HEDDLE_EXPORT void __sanitizer_symbolize_global(void*, const char*, char* buffer, size_t size) {
  no_text(buffer, size);
}
HEDDLE_EXPORT int __sanitizer_get_module_and_offset_for_pc(void*, char* buffer, size_t size, void** offset) {
  if (offset != nullptr) *offset = nullptr;
  return no_text(buffer, size);
}

HEDDLE_EXPORT size_t __sanitizer_get_estimated_allocated_size(size_t size) {
  return size;
}
HEDDLE_EXPORT size_t __sanitizer_get_allocated_size(const void* pointer) {
  return real_usable_size(const_cast<void*>(pointer));
}
HEDDLE_EXPORT int __sanitizer_get_ownership(const void* pointer) {
  return pointer != nullptr ? 1 : 0;
}
HEDDLE_EXPORT size_t __sanitizer_get_current_allocated_bytes() {
  return 0;
}
HEDDLE_EXPORT size_t __sanitizer_get_heap_size() {
  return 0;
}
HEDDLE_EXPORT size_t __sanitizer_get_free_bytes() {
  return 0;
}
HEDDLE_EXPORT size_t __sanitizer_get_unmapped_bytes() {
  return 0;
}
HEDDLE_EXPORT int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, size_t),
                                                            void (*)(const volatile void*)) {
  return 0;
}

HEDDLE_EXPORT void __sanitizer_cov_dump() {}
HEDDLE_EXPORT void __sanitizer_cov_reset() {}
HEDDLE_EXPORT void __sanitizer_dump_coverage(const uintptr_t*, size_t) {}

// Where an address lies, and what a report says: there are no reports.
HEDDLE_EXPORT const char* __tsan_locate_address(void*, char* name, size_t size, void** start,
                                                size_t* length) {
  no_text(name, size);
  if (start != nullptr) *start = nullptr;
  if (length != nullptr) *length = 0;
  return "";
}
HEDDLE_EXPORT int __tsan_get_alloc_stack(void*, void**, size_t, int*, void*) {
  return 0;
}
HEDDLE_EXPORT void* __tsan_get_current_report() {
  return nullptr;
}
HEDDLE_EXPORT void __tsan_external_register_header(void*, const char*) {}
