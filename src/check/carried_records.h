// Records of other revisions, told in terms of the base.
//
// A test need not be recorded again on every commit: as long as nothing that it executes has changed since,
// it does the same, on other lines. If something has, what it would do now is not known.
#pragma once

#include <vector>

#include "change/revision.h"
#include "history/test_records.h"

namespace heddle {

// What is known of tests on other trees becomes what is known of them on `base`, where that is certain: then
// they count as records of it. Returns how many that are.
size_t carry_records(const Repository& repository, const Revision& base, std::vector<KnownTest>& tests);

}  // namespace heddle
