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

}  // namespace heddle
