// Into a program and out of it. Offsets are those of Machine (machine.h).
#define HOST_STACK 0
#define HOST_THREAD 8
#define PROGRAM_THREAD 16
#define PROGRAM_STACK 24
#define KERNEL_STACK 32
#define IS_ACTIVE 40
#define ENTRY 48
#define ENTRY_STACK 56
#define ENTRY_REGISTERS 64
#define KEPT_REGISTERS 88
#define HAS_THREAD_INSTRUCTIONS 136
#define IS_IN_KERNEL 144
#define STOP 152
#define STOP_READY 1

#define SYS_arch_prctl 158
#define ARCH_SET_FS 0x1002

  .text
  .globl heddle_fast_enter
  .type heddle_fast_enter, @function
heddle_fast_enter:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  mov %rsp, HOST_STACK(%rdi)
  mov %rdi, %rbx
  movq $0, IS_IN_KERNEL(%rbx)
  movq $1, IS_ACTIVE(%rbx)
  cmpq $0, HAS_THREAD_INSTRUCTIONS(%rbx)
  je 1f
  mov PROGRAM_THREAD(%rbx), %rax
  wrfsbase %rax
  jmp 2f
1:
  mov $SYS_arch_prctl, %eax
  mov $ARCH_SET_FS, %edi
  mov PROGRAM_THREAD(%rbx), %rsi
  syscall
2:
  fninit
  ldmxcsr default_mxcsr(%rip)
  cld
  mov %rbx, %rcx
  mov ENTRY_STACK(%rcx), %rsp
  mov ENTRY_REGISTERS(%rcx), %rdi
  mov ENTRY_REGISTERS+8(%rcx), %rsi
  mov ENTRY_REGISTERS+16(%rcx), %rdx
  mov KEPT_REGISTERS(%rcx), %rbx
  mov KEPT_REGISTERS+8(%rcx), %rbp
  mov KEPT_REGISTERS+16(%rcx), %r12
  mov KEPT_REGISTERS+24(%rcx), %r13
  mov KEPT_REGISTERS+32(%rcx), %r14
  mov KEPT_REGISTERS+40(%rcx), %r15
  mov ENTRY(%rcx), %rax
  xor %ecx, %ecx
  xor %r8d, %r8d
  xor %r9d, %r9d
  xor %r10d, %r10d
  xor %r11d, %r11d
  jmp *%rax
  .size heddle_fast_enter, .-heddle_fast_enter

// Ends the run, wherever it is: back to who called heddle_fast_enter().
  .globl heddle_fast_leave
  .type heddle_fast_leave, @function
heddle_fast_leave:
  mov heddle_fast_current@GOTPCREL(%rip), %rbx
  mov (%rbx), %rbx
  mov HOST_STACK(%rbx), %rsp
  cmpq $0, HAS_THREAD_INSTRUCTIONS(%rbx)
  je 1f
  mov HOST_THREAD(%rbx), %rax
  wrfsbase %rax
  jmp 2f
1:
  mov $SYS_arch_prctl, %eax
  mov $ARCH_SET_FS, %edi
  mov HOST_THREAD(%rbx), %rsi
  syscall
2:
  movq $0, IS_ACTIVE(%rbx)
  movq $0, IS_IN_KERNEL(%rbx)
  cld
  fninit
  fldcw 4(%rsp)
  ldmxcsr (%rsp)
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
  .size heddle_fast_leave, .-heddle_fast_leave

// A patched system call: its number and arguments are where the instruction expects them, r11 is where to go
// on. As with the instruction, rcx and r11 are free, and all other registers are kept.
  .globl heddle_fast_call
  .type heddle_fast_call, @function
heddle_fast_call:
  mov heddle_fast_current@GOTPCREL(%rip), %rcx
  mov (%rcx), %rcx
  mov %rsp, PROGRAM_STACK(%rcx)
  movq $1, IS_IN_KERNEL(%rcx)
  mov KERNEL_STACK(%rcx), %rsp
  push %r11
  push %rdi
  push %rsi
  push %rdx
  push %r10
  push %r8
  push %r9
  sub $8, %rsp
  mov %rcx, %rdi
  lea 8(%rsp), %rsi
  mov %rax, %rdx
  cld
  call heddle_fast_emulate@PLT
  mov heddle_fast_current@GOTPCREL(%rip), %rcx
  mov (%rcx), %rcx
  cmpq $0, STOP(%rcx)
  jne heddle_fast_leave
  add $8, %rsp
  pop %r9
  pop %r8
  pop %r10
  pop %rdx
  pop %rsi
  pop %rdi
  pop %r11
  movq $0, IS_IN_KERNEL(%rcx)
  mov PROGRAM_STACK(%rcx), %rsp
  jmp *%r11
  .size heddle_fast_call, .-heddle_fast_call

// In place of main(): remembers how to call it.
  .globl heddle_fast_ready
  .type heddle_fast_ready, @function
heddle_fast_ready:
  mov heddle_fast_current@GOTPCREL(%rip), %rcx
  mov (%rcx), %rcx
  mov %rsp, ENTRY_STACK(%rcx)
  mov %rdi, ENTRY_REGISTERS(%rcx)
  mov %rsi, ENTRY_REGISTERS+8(%rcx)
  mov %rdx, ENTRY_REGISTERS+16(%rcx)
  mov %rbx, KEPT_REGISTERS(%rcx)
  mov %rbp, KEPT_REGISTERS+8(%rcx)
  mov %r12, KEPT_REGISTERS+16(%rcx)
  mov %r13, KEPT_REGISTERS+24(%rcx)
  mov %r14, KEPT_REGISTERS+32(%rcx)
  mov %r15, KEPT_REGISTERS+40(%rcx)
  movq $STOP_READY, STOP(%rcx)
  jmp heddle_fast_leave
  .size heddle_fast_ready, .-heddle_fast_ready

  .section .rodata
  .balign 4
default_mxcsr:
  .long 0x1f80
  .section .note.GNU-stack, "", @progbits
