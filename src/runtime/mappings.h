// What fork has to copy: the mappings of the program and its libraries, made fewer.
//
// Every mapping costs a child of the fork server a microsecond or two, used or not, and a file comes as five
// or six of them. The server joins those of a file that are only read, code and constants: all of it is
// executable then, as it was before linkers began to keep them apart. Nothing depends on it: what cannot be
// joined is left as it was.
#pragma once

#include <cstdint>

namespace heddle::rt {

// Also calls visit(begin, end) for the code of every file.
void join_mappings(void (*visit)(uintptr_t begin, uintptr_t end));

}  // namespace heddle::rt
