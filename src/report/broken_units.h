// What happens to units of work that no order of them explains, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report_context.h"

namespace heddle {

// "Quota::charge by main/1 read `requests`, then Quota::charge by main/2 changed it, then main/1 wrote what
// it had computed from the old value", if the accesses have such a shape, else which units they are. `events`
// are indices in events(), in the order in which they happen.
std::string broken_units_sentence(ReportContext& context, const std::vector<uint64_t>& events);

}  // namespace heddle
