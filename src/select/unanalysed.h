// What the analyses did not see: changes in code that clang could not compile, and accesses that only
// executions have shown. Lines of the text and of the history stand in for them.
#pragma once

#include "change/source_change.h"
#include "history/test_records.h"
#include "program/program.h"
#include "select/impact.h"

namespace heddle::select {

// Statements that the change touches in code of which there are no facts. Each is taken to order threads: a
// test that reaches it with threads is impacted. Gives how many there are.
size_t add_unanalysed_changes(const program::Program& base, const program::Program& head,
                              const SourceChange& change, ChangedProgram& changed);

// Accesses that were seen to share memory on the base. Those that the analyses have not found become shared
// variables; and variables that were seen to be the same are the same.
void add_seen_accesses(const std::vector<KnownTest>& history, ChangedProgram& changed);

}  // namespace heddle::select
