// Thread-local variables of threads that live in a used shell.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Notes where the initial values of all loaded modules are. To be called when libraries may have come or
// gone.
void tls_find_images();
// The thread-local variables of the thread with this FS base, which does not run, get their initial values
// again. Those of libc are left alone: it keeps its caches and tables there.
void tls_reset(uintptr_t fs_base);

}  // namespace heddle::rt
