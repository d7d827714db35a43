// The context switch: callee-saved registers, SSE and x87 control words, stack pointer, FS base.
//
// It ends with pop and an indirect jump instead of ret: the return address belongs to another stack, so the
// processor's return predictor would miss every time (measured: 2-3 times slower).

        .text
        .globl  heddle_switch
        .hidden heddle_switch
        .type   heddle_switch, @function
heddle_switch:                          // rdi = from, rsi = to
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movl    (%rsp), %edx
        movzwl  4(%rsp), %r8d
        movq    %rsp, 0(%rdi)
        movq    0(%rsi), %rsp
        movq    8(%rsi), %rax
        cmpb    $0, heddle_has_fsgsbase(%rip)
        je      2f
        wrfsbase %rax
1:      cmpl    (%rsp), %edx            // loading the control words is slow, and they are mostly the same
        jne     3f
        cmpw    4(%rsp), %r8w
        jne     3f
4:      addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        popq    %rcx
        jmpq    *%rcx
2:      movq    %rax, %rsi              // arch_prctl(ARCH_SET_FS, fs)
        movl    $0x1002, %edi
        movl    $158, %eax
        syscall
        jmp     1b
3:
.Lresume:
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        jmp     4b
        .cfi_endproc
        .size   heddle_switch, .-heddle_switch

        .globl  heddle_set_fs_base
        .hidden heddle_set_fs_base
        .type   heddle_set_fs_base, @function
heddle_set_fs_base:                     // rdi = base
        .cfi_startproc
        cmpb    $0, heddle_has_fsgsbase(%rip)
        je      1f
        wrfsbase %rdi
        ret
1:      movq    %rdi, %rsi
        movl    $0x1002, %edi
        movl    $158, %eax
        syscall
        ret
        .cfi_endproc
        .size   heddle_set_fs_base, .-heddle_set_fs_base

// setjmp and longjmp across fibers: nothing is unwound, the signal mask stays.
        .globl  heddle_mark_return
        .hidden heddle_mark_return
        .type   heddle_mark_return, @function
heddle_mark_return:                     // rdi = ReturnPoint
        .cfi_startproc
        movq    %rbx, 0(%rdi)
        movq    %rbp, 8(%rdi)
        movq    %r12, 16(%rdi)
        movq    %r13, 24(%rdi)
        movq    %r14, 32(%rdi)
        movq    %r15, 40(%rdi)
        leaq    8(%rsp), %rax
        movq    %rax, 48(%rdi)
        movq    (%rsp), %rax
        movq    %rax, 56(%rdi)
        movq    %fs:0, %rax
        movq    %rax, 64(%rdi)
        stmxcsr 72(%rdi)
        fnstcw  76(%rdi)
        xorl    %eax, %eax
        ret
        .cfi_endproc
        .size   heddle_mark_return, .-heddle_mark_return

        .globl  heddle_return_to
        .hidden heddle_return_to
        .type   heddle_return_to, @function
heddle_return_to:                       // rdi = ReturnPoint
        .cfi_startproc
        movq    %rdi, %rbx
        movq    64(%rbx), %rdi
        call    heddle_set_fs_base
        movq    %rbx, %rdi
        ldmxcsr 72(%rdi)
        fldcw   76(%rdi)
        movq    0(%rdi), %rbx
        movq    8(%rdi), %rbp
        movq    16(%rdi), %r12
        movq    24(%rdi), %r13
        movq    32(%rdi), %r14
        movq    40(%rdi), %r15
        movq    48(%rdi), %rsp
        movl    $1, %eax
        jmpq    *56(%rdi)
        .cfi_endproc
        .size   heddle_return_to, .-heddle_return_to

// First code of a fiber: rbx holds the Fiber. Unwinding stops here.
        .globl  heddle_fiber_start
        .hidden heddle_fiber_start
        .type   heddle_fiber_start, @function
heddle_fiber_start:
        .cfi_startproc
        .cfi_undefined rip
        xorl    %ebp, %ebp
        movq    %rbx, %rdi
        call    heddle_fiber_main
        ud2
        .cfi_endproc
        .size   heddle_fiber_start, .-heddle_fiber_start

// A fiber's kernel thread (kernel_threads.cpp): clone, then the first turn. Unwinding stops in the new thread.
        .globl  heddle_clone
        .hidden heddle_clone
        .type   heddle_clone, @function
heddle_clone:                           // rdi = fiber, rsi = flags, rdx = stack, rcx = tid, r8 = FS base
        .cfi_startproc
        movq    %rdi, %r9
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        movq    %rcx, %rdx
        xorl    %r10d, %r10d
        movl    $56, %eax               // clone(flags, stack, tid, null, FS base)
        syscall
        testq   %rax, %rax
        je      1f
        ret
1:      .cfi_undefined rip
        xorl    %ebp, %ebp
        movq    %r9, %rbx
        movq    %r9, %rdi
        call    heddle_await_first_turn
        movq    0(%rbx), %rsp
        jmp     .Lresume
        .cfi_endproc
        .size   heddle_clone, .-heddle_clone

        .section .note.GNU-stack,"",@progbits
