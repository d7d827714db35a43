// Which bytes of memory are input.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// In main: the arguments as the program shall see them, with expressions and room to grow.
char** heddle_concolic_arguments(int count, char** arguments);
uint32_t heddle_concolic_argument_count(int count);

// For libc/: the source that an open file is, or 0 (argv[0], which is never symbolic).
uint32_t heddle_concolic_file_source(int file);
// `count` bytes of a source, from `offset` on, now stand at `memory`.
void heddle_concolic_input_bytes(uint32_t source, unsigned long offset, const void* memory,
                                 unsigned long count);
// Their results have expressions: how many bytes a source has, and how many items of `unit` bytes a call has
// read that wanted so many bytes.
unsigned long heddle_concolic_input_size(uint32_t source, unsigned long size);
unsigned long heddle_concolic_amount(uint32_t source, unsigned long size, unsigned long offset,
                                     unsigned long wanted, unsigned long unit, unsigned long read);
// The same value without one.
unsigned long heddle_concolic_concrete(unsigned long value);
// Moves expressions as the bytes were moved, and forgets them.
void heddle_concolic_copied(const void* to, const void* from, unsigned long size);
void heddle_concolic_written(const void* memory, unsigned long size);
#ifdef __cplusplus
}
#endif
