#include "predict/prediction.h"

namespace heddle {

std::vector<uint64_t> schedule_of(const trace::Trace& trace, const Witness& witness) {
  std::vector<uint32_t> left = witness.cut;
  left.resize(trace.threads().size());
  std::vector<uint64_t> events;
  const std::span<const trace::EventRecord> all = trace.events();
  for (uint64_t i = 0; i < all.size(); ++i) {
    if (left[all[i].thread] == 0) continue;
    --left[all[i].thread];
    events.push_back(i);
  }
  events.insert(events.end(), witness.tail.begin(), witness.tail.end());
  return events;
}

}  // namespace heddle
