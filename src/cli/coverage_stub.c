// Block coverage of gcc calls __sanitizer_cov_trace_pc, which ThreadSanitizer's own runtime does not have.
//
// Every module that `heddle cc` links gets this copy. It finds heddle's runtime when that is loaded, and does
// nothing otherwise, so the program also starts without heddle. The last call is a jump (this file is
// compiled with optimisation, always), so the runtime sees the return address of the block itself.
#include <dlfcn.h>
#include <stddef.h>

typedef void Hook(void);

static void nothing(void) {}

static Hook* hook;

static __attribute__((noinline, cold)) Hook* find_hook(void) {
  Hook* found = (Hook*)dlsym(RTLD_DEFAULT, "__sanitizer_cov_trace_pc");
  hook = found == NULL ? nothing : found;
  return hook;
}

__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) {
  Hook* target = hook;
  if (__builtin_expect(target == NULL, 0)) target = find_hook();
  target();
}
