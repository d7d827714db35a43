// The story of an execution that ended well, but whose threads together have computed what they must not.
#pragma once

#include <string>
#include <vector>

#include "report/story.h"

namespace heddle {

// `message` and `identity` as those of a FailureStory. Tells what changed under whose hands, as far as it can
// be seen.
FailureStory tell_wrong_results(ReportContext& context, std::string message,
                                std::vector<std::string> identity);

// What stays the same in other executions that are wrong for the same reason: in which functions it was that
// something changed under a thread's hands. Empty if that cannot be seen.
std::string broken_unit_identity(ReportContext& context);

}  // namespace heddle
