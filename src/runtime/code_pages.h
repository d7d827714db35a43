// The code that executions use, kept where fork copies it.
//
// The kernel does not copy the page tables of a file's pages: a fault brings them back, together with their
// neighbours. A child of the fork server lives for a fraction of a millisecond, and would spend a good part
// of it finding the same code as all the others. So after some executions the server looks at which pages of
// code a child has used, and keeps private copies of these. Page tables of private memory are copied, and
// nothing else of the code is in them.
#pragma once

namespace heddle::rt {

// The server, at its start; see also mappings.h.
void code_pages_init();
// The server, before and after each execution.
void code_pages_before_execution();
void code_pages_after_execution();
// The execution, at its end.
void code_pages_report();

}  // namespace heddle::rt
