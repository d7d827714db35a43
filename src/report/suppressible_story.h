// What suppressions look at in a story.
#pragma once

#include "report/story.h"
#include "report/suppressions.h"

namespace heddle {

Suppressible suppressible(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind);

}  // namespace heddle
