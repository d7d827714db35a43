// Raw system calls and memory primitives for the runtime.
//
// The runtime interposes libc, so calling libc from inside it would re-enter it. Everything here is inline
// assembly or plain loops, touches no errno and no thread-local storage.
#pragma once

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

inline long sys_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline void* sys_map(size_t size, int extra_flags = 0, void* where = nullptr) {
  long result =
      sys_call(SYS_mmap, reinterpret_cast<long>(where), static_cast<long>(size), PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra_flags, -1, 0);
  return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}

[[noreturn]] inline void sys_exit_group(int code) {
  for (;;) sys_call(SYS_exit_group, code);
}

// Sets the word, wakes who waits for that on its (private) futex, and ends the calling kernel thread. Once
// the word is set, others may use the stack, or unmap it: it is not touched any more.
[[noreturn]] inline __attribute__((always_inline)) void sys_set_and_end_thread(uint32_t* word) {
  asm volatile(
      "movl $1, (%0)\n\t"
      "movq %0, %%rdi\n\t"
      "movl %1, %%esi\n\t"
      "movl $1, %%edx\n\t"
      "movl %2, %%eax\n\t"
      "syscall\n\t"
      "xorl %%edi, %%edi\n\t"
      "movl %3, %%eax\n\t"
      "syscall\n\t"
      "ud2"
      :
      : "r"(word), "i"(FUTEX_WAKE_PRIVATE), "i"(SYS_futex), "i"(SYS_exit)
      : "rax", "rdi", "rsi", "rdx", "rcx", "r11", "memory");
  __builtin_unreachable();
}

inline long sys_write(int fd, const void* data, size_t size) {
  return sys_call(SYS_write, fd, reinterpret_cast<long>(data), static_cast<long>(size));
}

// Loops the compiler must not turn back into calls of memcpy and memset, which we interpose.
inline void copy_bytes(void* to, const void* from, size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
inline void fill_bytes(void* to, int value, size_t size) {
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
}
inline size_t text_length(const char* text) {
  size_t n = 0;
  while (text[n] != 0) {
    ++n;
    asm volatile("" : "+r"(n));
  }
  return n;
}
inline bool text_equal(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
inline bool text_starts(const char* text, const char* prefix) {
  while (*prefix != 0) {
    if (*text++ != *prefix++) return false;
  }
  return true;
}

// A growing line of text in a fixed buffer; silently stops at its end.
class Text {
 public:
  Text(char* buffer, size_t size) : buffer_(buffer), size_(size) { buffer_[0] = 0; }
  Text& add(const char* text) {
    while (*text != 0 && used_ + 1 < size_) buffer_[used_++] = *text++;
    buffer_[used_] = 0;
    return *this;
  }
  Text& add(uint64_t number, unsigned base = 10) {
    char digits[24];
    int n = 0;
    do digits[n++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    while (n > 0 && used_ + 1 < size_) buffer_[used_++] = digits[--n];
    buffer_[used_] = 0;
    return *this;
  }
  size_t size() const { return used_; }

 private:
  char* buffer_;
  size_t size_;
  size_t used_ = 0;
};

}  // namespace heddle::rt
