// main of a libFuzzer-style entry point: all of standard input is its data.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "interact/concolic/libc/own.h"
#include "interact/concolic/runtime/inputs.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* count, char*** arguments) __attribute__((weak));
ssize_t OWN(read)(int file, void* memory, size_t size);

enum { kMostInput = 1 << 20 };

int main(int count, char** arguments) {
  if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&count, &arguments);
  uint8_t* const buffer = malloc(kMostInput);
  const ssize_t size = OWN(read)(0, buffer, kMostInput);
  if (size < 0) return 3;
  // Behind the end there shall be what a sanitizer finds, or nothing.
  const size_t length = heddle_concolic_concrete((unsigned long)size);
  uint8_t* const data = malloc(length);
  __builtin_memcpy(data, buffer, length);
  free(buffer);
  LLVMFuzzerTestOneInput(data, (size_t)size);
  free(data);
  return 0;
}
