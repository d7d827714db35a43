// What suppressions look at in a story: the stacks of its operations and the names of its variables. As with
// ThreadSanitizer, not the stacks that created its threads or allocated its memory.
#pragma once

#include "report/story.h"
#include "report/suppressions.h"

namespace heddle {

Suppressible suppressible(const ReportContext& context, const FailureStory& story, trace::OutcomeKind kind);

}  // namespace heddle
