// The tellers behind tell_failure(), one for each kind of failure.
#pragma once

#include "report/story.h"
#include "report/torn_accesses.h"

namespace heddle {

FailureStory tell_deadlock(ReportContext& context);
FailureStory tell_lost_wakeup(ReportContext& context);
FailureStory tell_livelock(ReportContext& context);
FailureStory tell_crash(ReportContext& context);
FailureStory tell_assertion(ReportContext& context);
FailureStory tell_exception(ReportContext& context);
FailureStory tell_misuse(ReportContext& context);
FailureStory tell_exit_code(ReportContext& context);
// The first of the races that the runtime saw; tell_race() tells any of them.
FailureStory tell_first_race(ReportContext& context);
FailureStory tell_race(ReportContext& context, const trace::RaceRecord& race);
// Any other kind: the runtime's message at the outcome's place.
FailureStory tell_other(ReportContext& context);

// "waits for mutex `lock`", "waits for thread main/1 to end", …
std::string wait_phrase(ReportContext& context, const trace::BlockedRecord& blocked);

// Where a thread waits.
Place waiting_place(const ReportContext& context, const trace::BlockedRecord& blocked);

// That a thread waits, where, and who holds what it waits for.
Paragraph waiting_paragraph(ReportContext& context, const trace::BlockedRecord& blocked);

// Adds where every other thread stands at the end, who else waits, and where the threads of the story came
// from.
void add_other_threads(ReportContext& context, FailureStory& story);

// Adds what changed under a thread's hands, with the threads and events that take part.
void add_torn_access(ReportContext& context, const TornAccess& torn, FailureStory& story);

// Adds what --inject did to the execution: without it the failure cannot be understood.
void add_injected(ReportContext& context, FailureStory& story);

// Which thread comes first, and how many do the same, is chance: neither belongs to an identity.
void forget_order(std::vector<std::string>& identity);

// The words of a message that mean the same in every execution: numbers become "#".
std::string message_identity(std::string_view message);

}  // namespace heddle
