#include "runtime/fronts.h"

#include "runtime/modules.h"

extern "C" {
uintptr_t heddle_front_pc;
#define HEDDLE_FRONT(symbol)                                               \
  __attribute__((visibility("hidden"))) uintptr_t heddle_real_##symbol;    \
  asm(".text\n"                                                            \
      ".globl " #symbol "\n"                                               \
      ".type " #symbol ", @function\n" #symbol ":\n"                       \
      ".cfi_startproc\n"                                                   \
      "movq (%rsp), %r11\n"                                                \
      "movq %r11, heddle_front_pc(%rip)\n"                                 \
      "jmpq *heddle_real_" #symbol "(%rip)\n"                              \
      ".cfi_endproc\n"                                                     \
      ".size " #symbol ", .-" #symbol "\n");
#include "runtime/fronts.inc"
#undef HEDDLE_FRONT
}

namespace heddle::rt {

uintptr_t cxx_library_begin;
uintptr_t cxx_library_size;

void fronts_init() {
#define HEDDLE_FRONT(symbol)                                                          \
  heddle_real_##symbol = reinterpret_cast<uintptr_t>(find_real(#symbol));             \
  if (heddle_real_##symbol != 0 && cxx_library_size == 0) {                           \
    const Module& library = module_at(module_of(heddle_real_##symbol));               \
    cxx_library_begin = library.begin;                                                \
    cxx_library_size = library.end - library.begin;                                   \
  }
#include "runtime/fronts.inc"
#undef HEDDLE_FRONT
}

}  // namespace heddle::rt
