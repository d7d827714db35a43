// What `heddle impact` says of schedules that made a test fail before.
#pragma once

#include <nlohmann/json.hpp>

#include "check/stored_replay.h"
#include "check/suspected_test.h"

namespace heddle {

// How far the head followed the schedule, and how it failed, if it did.
Expected<void> tell_replay(const StoredSchedule& stored, const StoredReplay& replay,
                           FindingListener& listener);

nlohmann::ordered_json to_json(const StoredSchedule& stored, const StoredReplay& replay);

}  // namespace heddle
