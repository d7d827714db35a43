// expect: assertion
// message: total() == 2
// executions: 100
// Accesses through the sanitizers' functions for unaligned memory, as programs with packed formats make them
// in sanitizer builds: an update of two threads is lost. The rest of that interface is there and harmless.
#include <assert.h>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <stddef.h>
#include <stdlib.h>

// In sanitizer/allocator_interface.h, which gcc does not ship.
int __sanitizer_get_ownership(const volatile void* block);
size_t __sanitizer_get_allocated_size(const volatile void* block);

static char packed[8];

static unsigned total(void) {
  return __sanitizer_unaligned_load32(packed + 1);
}

static void* increment(void* argument) {
  __sanitizer_unaligned_store32(packed + 1, total() + 1);
  return argument;
}

int main(void) {
  __sanitizer_set_death_callback(NULL);
  void* block = malloc(100);
  assert(__sanitizer_get_ownership(block));
  assert(__sanitizer_get_allocated_size(block) >= 100);
  free(block);

  pthread_t thread;
  pthread_create(&thread, NULL, increment, NULL);
  increment(NULL);
  pthread_join(thread, NULL);
  assert(total() == 2);
}
