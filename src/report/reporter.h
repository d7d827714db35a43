// Reporters: the forms in which a report can be written, `-r NAME[::FILE]`. A new one is one function in a
// file of its own, and a line in reporter.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/report.h"

namespace heddle {

struct Reporter {
  std::string_view name;
  std::string_view help;
  // Of the findings' evidence.
  bool wants_flow = false;
  bool wants_events = false;
  // The whole file.
  std::string (*write)(const Report& report);
};

std::span<const Reporter> reporters();
// Null if there is none of that name.
const Reporter* find_reporter(std::string_view name);

}  // namespace heddle
