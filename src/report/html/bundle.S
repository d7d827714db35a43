// The page of the HTML report as a part of heddle itself, so that an installed heddle needs no file for it.
#if defined(__ELF__)
        .section .rodata, "a", @progbits
        .globl  heddle_report_page_begin
        .globl  heddle_report_page_end
        .type   heddle_report_page_begin, @object
        .type   heddle_report_page_end, @object
heddle_report_page_begin:
        .incbin HEDDLE_REPORT_PAGE
heddle_report_page_end:
        .byte   0
        .size   heddle_report_page_begin, . - heddle_report_page_begin
        .section .note.GNU-stack, "", @progbits
#endif
