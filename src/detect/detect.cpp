#include "detect/detect.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "detect/hybrid_detector.h"
#include "detect/lock_order_detector.h"
#include "detect/lock_set_detector.h"
#include "detect/race_detector.h"

namespace heddle::detect {
namespace {

// All detectors look at some events while these are in the cache.
constexpr size_t kBatch = 2048;
// Intervals of threads are counted in 32 bits, and an event ends at most two.
constexpr uint64_t kMostEvents = uint64_t{1} << 31;

std::vector<std::unique_ptr<Detector>> make_detectors(const DetectOptions& options) {
  std::vector<std::unique_ptr<Detector>> detectors;
  if (options.races)
    detectors.push_back(std::make_unique<RaceDetector>(options.reads_from, options.most_findings));
  if (options.lock_set) detectors.push_back(std::make_unique<LockSetDetector>(options.most_findings));
  if (options.hybrid) detectors.push_back(std::make_unique<HybridDetector>(options.most_findings));
  if (options.lock_order) detectors.push_back(std::make_unique<LockOrderDetector>(options.most_findings));
  return detectors;
}

uint64_t bytes_of(const std::vector<std::unique_ptr<Detector>>& detectors) {
  uint64_t bytes = 0;
  for (const auto& detector : detectors) bytes += detector->bytes();
  return bytes;
}

}  // namespace

Expected<Detections> detect(trace::EventStream& stream, const DetectOptions& options) {
  const auto detectors = make_detectors(options);
  Detections found;
  while (true) {
    const auto events = stream.next();
    if (!events) return tl::unexpected(events.error());
    if (events->empty()) break;
    for (size_t begin = 0; begin < events->size(); begin += kBatch) {
      const auto part = events->subspan(begin, std::min(kBatch, events->size() - begin));
      for (const auto& detector : detectors) detector->add(part, found.events);
      found.events += part.size();
      if (found.events > kMostEvents)
        return usage_error(fmt::format("{} has more than {} events", stream.title(), kMostEvents));
      if (bytes_of(detectors) > options.most_bytes) {
        return usage_error(fmt::format("{}: more than {} MB of memory are needed at event {}", stream.title(),
                                       options.most_bytes >> 20, found.events));
      }
    }
  }
  found.bytes = bytes_of(detectors);
  for (const auto& detector : detectors) detector->finish(found);
  return found;
}

}  // namespace heddle::detect
