// main of a libFuzzer-style entry point: all of standard input is its data.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerInitialize(int* count, char*** arguments) __attribute__((weak));

// As much as the recordable form takes (concolic/libc/fuzz_main.c), so that all forms see the same.
enum { kMostInput = 1 << 20 };

int main(int count, char** arguments) {
  if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&count, &arguments);
  uint8_t* const buffer = malloc(kMostInput);
  if (buffer == NULL) return 3;
  size_t size = 0;
  while (size < kMostInput) {
    const ssize_t more = read(0, buffer + size, kMostInput - size);
    if (more < 0) return 3;
    if (more == 0) break;
    size += (size_t)more;
  }
  // Of its own size: behind it there is what AddressSanitizer finds.
  uint8_t* const data = malloc(size);
  if (data == NULL) return 3;
  memcpy(data, buffer, size);
  free(buffer);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  return 0;
}
