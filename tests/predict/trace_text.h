// A trace as text, for messages of tests that fail.
#pragma once

#include <string>

#include <fmt/format.h>

#include "trace/names.h"
#include "trace/trace.h"

namespace heddle {

inline std::string text_of(const trace::Trace& trace) {
  std::string text;
  for (size_t i = 0; i < trace.events().size(); ++i) {
    const trace::EventRecord& event = trace.events()[i];
    text += fmt::format("{:3}: thread {} {} {}+{} size/peer {} flags {} site {}\n", i, event.thread,
                        trace::to_text(event.kind), event.object, event.offset, event.size, event.flags,
                        event.site);
  }
  return text;
}

}  // namespace heddle
