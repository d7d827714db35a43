// How the runtime gets hold of a program: options, the arena, the fork server.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Maps the arena that the tool made, or makes a private one for drop-in use.
void attach_arena();
// The value of an environment variable, or null.
const char* environment_value(char** environment, const char* name);
// An arena for one process alone, which becomes the current one.
void make_private_arena();
// As in HEDDLE_OPTIONS=policy=…; `depth` is that of pct:D. False if there is no such policy.
bool find_policy(const char* text, trace::PolicyKind* policy, uint32_t* depth);
const char* policy_names();
// The tool wants one exploration of the program (RequestRecord::exploration): until it comes, the program
// runs with an arena of its own. Null if that is not so.
trace::ArenaHeader* arena_for_exploration();
void use_arena_for_exploration();
void keep_arena_for_exploration();
// After the program forked: its child runs on by itself and leaves the tool's arena alone.
void detach_from_tool();
// Fork server: executes one request after another, each in a child; returns only in the children.
void serve();
// Executions begin here, with what the fork server has in common for all of them behind us: before the
// program's static initialisers, or already in the constructor of one of its libraries if that starts a
// thread. Once begun, only notes where the main thread's stack begins.
void start_executions(uintptr_t main_stack_top);
bool executions_started();

}  // namespace heddle::rt
