// The end of an explored function: what becomes of the threads that it has not waited for.
#pragma once

namespace heddle::rt {

// Nobody joins detached threads: those that can come to their end get the time to do so. A thread that then
// is still there belongs to no execution, which is a failure.
void end_threads_of_body();

}  // namespace heddle::rt
