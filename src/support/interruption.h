// The first Ctrl-C (or SIGTERM, SIGHUP) ends a long job in order, with what has been found so far; the second
// one ends the tool at once, with all that it has started.
#pragma once

namespace heddle {

// From now on.
void end_jobs_on_interruption();
// Whether it has come.
bool was_interrupted();

// Whoever starts processes makes sure that a signal which ends the tool also ends them: `kill_all` is called
// then, by a signal handler, so it may do only what is async-signal-safe. Each function counts once.
void end_with_the_tool(void (*kill_all)());

}  // namespace heddle
