// Why an event is impacted, in words.
#pragma once

#include <string>

#include "impact/impact.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

class ImpactWords {
 public:
  // All must outlive this; the symbols are of the traces that were compared.
  ImpactWords(const Impact& impact, TraceSymbols& base, TraceSymbols& head)
      : impact_(impact), base_(base), head_(head) {}

  // "was under `Cache::mu_`, now under nothing", "no longer after join at main.cpp:20".
  std::string describe(const ImpactedEvent& event);

 private:
  std::string locks_text(const SideOfImpact& side, uint32_t context, TraceSymbols& symbols) const;
  std::string ordering_text(const ImpactedEvent& event);
  std::string message_text(TraceSymbols& symbols, uint64_t event) const;

  const Impact& impact_;
  TraceSymbols& base_;
  TraceSymbols& head_;
};

}  // namespace heddle
