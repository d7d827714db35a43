// qsort and bsearch: sorting moves bytes, and their expressions. A merge sort, as glibc's: equal elements
// keep their order.
#include <stdlib.h>
#include <string.h>

#include "interact/concolic/libc/own.h"

typedef int (*comparison)(const void*, const void*, void*);

static void merge_sort(char* elements, size_t count, size_t size, comparison compare, void* argument,
                       char* scratch) {
  if (count < 2) return;
  const size_t left = count / 2;
  merge_sort(elements, left, size, compare, argument, scratch);
  merge_sort(elements + left * size, count - left, size, compare, argument, scratch);
  const char* a = elements;
  const char* const a_end = elements + left * size;
  const char* b = a_end;
  const char* const b_end = elements + count * size;
  char* to = scratch;
  while (a < a_end && b < b_end) {
    const char** const smaller = compare(a, b, argument) <= 0 ? &a : &b;
    __builtin_memcpy(to, *smaller, size);
    *smaller += size;
    to += size;
  }
  // What is left of the second half is where it belongs.
  __builtin_memcpy(to, a, (size_t)(a_end - a));
  to += a_end - a;
  __builtin_memcpy(elements, scratch, (size_t)(to - scratch));
}

void OWN(qsort_r)(void* elements, size_t count, size_t size, comparison compare, void* argument) {
  char* const scratch = malloc(count * size + 1);
  if (scratch == NULL) abort();
  merge_sort(elements, count, size, compare, argument, scratch);
  free(scratch);
}

static int compare_plainly(const void* a, const void* b, void* compare) {
  return ((int (*)(const void*, const void*))compare)(a, b);
}

void OWN(qsort)(void* elements, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  OWN(qsort_r)(elements, count, size, compare_plainly, (void*)compare);
}

void* OWN(bsearch)(const void* key, const void* elements, size_t count, size_t size,
                   int (*compare)(const void*, const void*)) {
  size_t first = 0;
  size_t end = count;
  while (first < end) {
    const size_t middle = (first + end) / 2;
    const char* const element = (const char*)elements + middle * size;
    const int order = compare(key, element);
    if (order == 0) return (void*)element;
    if (order < 0)
      end = middle;
    else
      first = middle + 1;
  }
  return NULL;
}
