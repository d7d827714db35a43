// Calls an initialiser so that an exception, pthread_exit or cancellation leaving it is noticed.
//
// C, compiled with -fexceptions: the cleanup attribute needs only libgcc's personality routine, whereas a C++
// cleanup would tie the runtime to a C++ library.
#include "runtime/call_once.h"

struct Scope {
  void (*abandoned)(void*);
  void* argument;
};

static void leave(struct Scope* scope) {
  if (scope->abandoned) scope->abandoned(scope->argument);
}

void heddle_call_guarded(void (*function)(void), void (*abandoned)(void*), void* argument) {
  __attribute__((cleanup(leave))) struct Scope scope = {abandoned, argument};
  function();
  scope.abandoned = 0;
}
