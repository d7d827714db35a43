#include "execute/injection.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Injection, IsAListOfWordsWithOptionalRates) {
  EXPECT_EQ(parse_injection("wakeups"), (Injection{.spurious_wakeups = kDefaultSpuriousWakeups}));
  EXPECT_EQ(parse_injection("allocations"), (Injection{.allocation_failures = kDefaultAllocationFailures}));
  EXPECT_EQ(parse_injection("allocations:1000,wakeups:1"),
            (Injection{.spurious_wakeups = 1, .allocation_failures = 1000}));
  for (const char* text : {"", "wakeup", "wakeups:", "wakeups:0", "wakeups:x", "wakeups:-1", "wakeups,",
                           ",wakeups", "wakeups allocations", "allocations:4294967296"}) {
    EXPECT_FALSE(parse_injection(text)) << text;
  }
}

}  // namespace
}  // namespace heddle
