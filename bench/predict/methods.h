// The analyses that are measured: a new one is one more entry of kMethods.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "support/error.h"

namespace heddle::bench {

struct Analysed {
  uint64_t events = 0;
  uint64_t findings = 0;
  uint64_t bytes = 0;  // that the analysis held, besides the trace; 0: not known
};

struct Method {
  const char* name;
  bool from_text;
  double bar;            // million events per CPU-second that it has to reach; 0: none
  uint64_t most_events;  // larger traces are not tried; 0: no limit
  // Reads the file and analyses it.
  Expected<Analysed> (*run)(const std::string& path);
};

std::span<const Method> methods();

}  // namespace heddle::bench
