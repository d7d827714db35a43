// sigsetjmp and siglongjmp carry the signal mask of the thread, which the kernel does not know.
//
// glibc keeps the mask in 128 bytes of the buffer, of which the kernel fills the first 8. The thread's mask
// goes behind them.
#include <setjmp.h>

#include "runtime/signal_delivery.h"
#include "runtime/sys.h"

using namespace heddle::rt;

namespace {
inline constexpr size_t kThreadMask = 8;  // index in __saved_mask.__val
static_assert(offsetof(__jmp_buf_tag, __saved_mask) + kThreadMask * sizeof(long) == 136);
static_assert(offsetof(Fiber, signal_mask) == 32);
static_assert(offsetof(LastingState, current) == 0);
}  // namespace

extern "C" __attribute__((visibility("hidden"))) void* heddle_real_sigsetjmp;
void* heddle_real_sigsetjmp;

asm(R"(
.text
.p2align 4
.globl __sigsetjmp
.type __sigsetjmp, @function
__sigsetjmp:
  .cfi_startproc
  testl %esi, %esi
  je 1f
  movq _ZN6heddle2rt2rtE(%rip), %rax
  testq %rax, %rax
  je 1f
  movq 32(%rax), %rcx
  movq %rcx, 136(%rdi)
1:
  jmpq *heddle_real_sigsetjmp(%rip)
  .cfi_endproc
.size __sigsetjmp, .-__sigsetjmp
)");

namespace {

__attribute__((constructor(102))) void find_sigsetjmp() {
  heddle_real_sigsetjmp = find_real("__sigsetjmp");
}

void restore_mask(__jmp_buf_tag* buffer) {
  if (!controlled() || buffer->__mask_was_saved == 0) return;
  auto* words = reinterpret_cast<uint64_t*>(&buffer->__saved_mask);
  rt.current->mask_is_lent = false;
  rt.current->signals_awaited = 0;
  // Signals that this lets in are delivered at the next point, after the jump.
  restore_signal_mask(words[kThreadMask]);
  words[0] = kernel_mask();
}

HEDDLE_REAL Real<void(__jmp_buf_tag*, int)> real_siglongjmp{"siglongjmp"};
HEDDLE_REAL Real<void(__jmp_buf_tag*, int)> real_longjmp_chk{"__longjmp_chk"};

}  // namespace

HEDDLE_EXPORT void siglongjmp(__jmp_buf_tag* buffer, int value) {
  restore_mask(buffer);
  real_siglongjmp(buffer, value);
  __builtin_unreachable();
}
HEDDLE_EXPORT void longjmp(__jmp_buf_tag* buffer, int value) __attribute__((alias("siglongjmp")));
HEDDLE_EXPORT void _longjmp(__jmp_buf_tag* buffer, int value) __attribute__((alias("siglongjmp")));
HEDDLE_EXPORT void __longjmp_chk(__jmp_buf_tag* buffer, int value) {
  restore_mask(buffer);
  real_longjmp_chk(buffer, value);
  __builtin_unreachable();
}
