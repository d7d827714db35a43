// The first Ctrl-C (or SIGTERM) ends a long job in order, with what has been found so far; the second one
// ends the tool at once.
#pragma once

namespace heddle {

// From now on.
void end_jobs_on_interruption();
// Whether it has come.
bool was_interrupted();

}  // namespace heddle
