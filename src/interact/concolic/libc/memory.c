// Where the C library moves or writes memory, the expressions follow or are forgotten.
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interact/concolic/libc/own.h"
#include "interact/concolic/runtime/inputs.h"

void* OWN(realloc)(void* memory, size_t size) {
  const size_t before = memory == NULL ? 0 : malloc_usable_size(memory);
  // Its address stays unused until the expressions are in the new place.
  void* const moved = memory == NULL || size == 0 ? realloc(memory, size) : malloc(size);
  if (memory == NULL || size == 0 || moved == NULL) return moved;
  __builtin_memcpy(moved, memory, before < size ? before : size);
  free(memory);
  return moved;
}

void* OWN(reallocarray)(void* memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return reallocarray(memory, count, size);
  return OWN(realloc)(memory, bytes);
}

void* OWN(calloc)(size_t count, size_t size) {
  void* const memory = calloc(count, size);
  if (memory != NULL) heddle_concolic_written(memory, count * size);
  return memory;
}

int OWN(vsnprintf)(char* to, size_t size, const char* format, va_list values) {
  const int length = vsnprintf(to, size, format, values);
  if (length >= 0 && size > 0) heddle_concolic_written(to, (size_t)length < size ? (size_t)length + 1 : size);
  return length;
}

int OWN(snprintf)(char* to, size_t size, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = OWN(vsnprintf)(to, size, format, values);
  va_end(values);
  return length;
}

int OWN(vsprintf)(char* to, const char* format, va_list values) {
  const int length = vsprintf(to, format, values);
  if (length >= 0) heddle_concolic_written(to, (size_t)length + 1);
  return length;
}

int OWN(sprintf)(char* to, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int length = OWN(vsprintf)(to, format, values);
  va_end(values);
  return length;
}
