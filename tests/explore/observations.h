// Observations made by hand: who did what, step by step.
#pragma once

#include "explore/observation.h"

namespace heddle {

struct HandMade {
  Observation seen;

  HandMade& step(uint32_t thread, trace::EventKind kind, uint64_t object, uint64_t statement,
                 uint32_t peer = 0) {
    seen.steps.push_back({.chosen = {thread},
                          .alternatives = {{thread}},
                          .operations = {{.kind = kind,
                                          .object = object,
                                          .size = 8,
                                          .flags = trace::event_flag::kPoint,
                                          .peer = peer,
                                          .statement = statement,
                                          .place = statement}}});
    return *this;
  }
};

}  // namespace heddle
