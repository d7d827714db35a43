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
        movq    %rsp, 0(%rdi)
        movq    0(%rsi), %rsp
        movq    8(%rsi), %rax
        cmpb    $0, heddle_has_fsgsbase(%rip)
        je      2f
        wrfsbase %rax
.Lresume:
        ldmxcsr (%rsp)
        fldcw   4(%rsp)
        addq    $8, %rsp
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
        jmp     .Lresume
        .cfi_endproc
        .size   heddle_switch, .-heddle_switch

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
