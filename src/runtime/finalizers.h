// Whether the loader's finalizers have anything to do.
//
// At exit the loader runs the finalizers of every library. In a small test they cost as much as the test
// itself and, for the C and C++ libraries, do nothing that matters to a process about to end. They are left
// out when they are all there is: no other library is loaded, and the program has no destructor functions of
// its own (static objects are destroyed by exit handlers, which always run).
#pragma once

namespace heddle::rt {

// Looks at what is loaded now.
void finalizers_init();
bool finalizers_matter();

}  // namespace heddle::rt
