#include "runtime/fronts.h"

#include "runtime/modules.h"

static_assert(offsetof(heddle::rt::LastingState, current) == 0);
static_assert(offsetof(heddle::rt::Fiber, front_pc) == 16 && offsetof(heddle::rt::Fiber, front_sp) == 24);

extern "C" {
#define HEDDLE_FRONT(symbol)                                                                       \
  __attribute__((visibility("hidden"))) uintptr_t heddle_real_##symbol;                            \
  asm(".text\n"                                                                                    \
      ".p2align 4\n" /* a member function pointer with its low bit set means a virtual function */ \
      ".globl " #symbol                                                                            \
      "\n"                                                                                         \
      ".type " #symbol ", @function\n" #symbol                                                     \
      ":\n"                                                                                        \
      ".cfi_startproc\n"                                                                           \
      "movq _ZN6heddle2rt2rtE(%rip), %r11\n" /* rt.current */                                      \
      "testq %r11, %r11\n"                                                                         \
      "je 1f\n"                                                                                    \
      "movq (%rsp), %rax\n"                                                                        \
      "movq %rax, 16(%r11)\n"                                                                      \
      "movq %rsp, 24(%r11)\n"                                                                      \
      "1:\n"                                                                                       \
      "jmpq *heddle_real_" #symbol                                                                 \
      "(%rip)\n"                                                                                   \
      ".cfi_endproc\n"                                                                             \
      ".size " #symbol ", .-" #symbol "\n");
#include "runtime/fronts.inc"
#undef HEDDLE_FRONT
}

namespace heddle::rt {

CodeRange cxx_library;
CodeRange own_library;

namespace {
CodeRange range_around(uintptr_t code) {
  const int index = module_of(code);
  if (index < 0) return {};
  const Module& module = module_at(static_cast<uint32_t>(index));
  return {module.begin, module.end - module.begin};
}
}  // namespace

void fronts_init() {
  own_library = range_around(reinterpret_cast<uintptr_t>(&fronts_init));
#define HEDDLE_FRONT(symbol)                                              \
  heddle_real_##symbol = reinterpret_cast<uintptr_t>(find_real(#symbol)); \
  if (heddle_real_##symbol != 0) cxx_library = range_around(heddle_real_##symbol);
#include "runtime/fronts.inc"
#undef HEDDLE_FRONT
}

}  // namespace heddle::rt
