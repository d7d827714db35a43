// Whether the subjects are what they say: the correct version of each passes, the other one fails as stated.
#pragma once

#include <vector>

#include "attempts.h"
#include "support/error.h"

namespace heddle::bench {

// Says on the standard error what is not as it should be; true if everything is.
Expected<bool> check_subjects(const std::vector<SubjectRun>& runs, const Attempts& attempts);

}  // namespace heddle::bench
