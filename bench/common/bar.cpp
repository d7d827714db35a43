#include "common/bar.h"

#include <fmt/format.h>

namespace heddle::bench {

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMet:
      return "met";
    case Verdict::kNotMet:
      return "not met";
    case Verdict::kNotMeasured:
      return "not measured";
  }
  return "";
}

std::string print_bars(const std::vector<Bar>& bars, bool markdown) {
  std::string text;
  for (const Bar& bar : bars) {
    text += fmt::format("{}{:<14}{}{}{}\n", markdown ? "* " : "", std::string(to_text(bar.verdict)) + ":",
                        bar.demand, bar.figure.empty() ? "" : ": ", bar.figure);
  }
  return text;
}

}  // namespace heddle::bench
