// The stages of `heddle check` that execute tests, in the order in which they are useful.
#pragma once

#include "check/check.h"

namespace heddle {

// What the base's tests do, kept in the history: selection begins with that.
std::unique_ptr<Stage> make_record_stage();
// Which tests matter for the change, and in which order.
std::unique_ptr<Stage> make_select_stage();
// Schedules that made these tests fail before, on the head.
std::unique_ptr<Stage> make_replay_stage();
// The tests themselves, under race detection, or once for ordinary faults; compared with the base.
std::unique_ptr<Stage> make_tests_stage();
// Interleavings of the tests that only the head has.
std::unique_ptr<Stage> make_impact_stage();
// The schedules of these tests, where threads switch around what is impacted first.
std::unique_ptr<Stage> make_explore_stage();

}  // namespace heddle
