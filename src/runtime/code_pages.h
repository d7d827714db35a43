// Makes the code of the program and its libraries cheap to fork.
//
// A child of the fork server lives for a fraction of a millisecond, and a good part of that would go into
// finding code: the kernel does not copy the page tables of mappings that are only read, so the child takes a
// fault for every part that it uses. And every mapping costs, whether or not it is used. So the server
//   - joins the mappings of a file that are only read into one, which is then executable as a whole, as before
//     linkers began to separate code and constants;
//   - after some executions looks at which pages of code a child has used, and keeps private copies of these.
//     Page tables of private memory are copied, and nothing else of the code is in them.
// Nothing depends on it: whatever fails is left as it was.
#pragma once

namespace heddle::rt {

// The server, at its start.
void code_pages_init();
// The server, before and after each execution.
void code_pages_before_execution();
void code_pages_after_execution();
// The execution, at its end.
void code_pages_report();

}  // namespace heddle::rt
