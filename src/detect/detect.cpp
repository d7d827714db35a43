#include "detect/detect.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "detect/hybrid_detector.h"
#include "detect/lock_order_detector.h"
#include "detect/lock_set_detector.h"
#include "detect/race_detector.h"
#include "trace/dependence.h"

namespace heddle::detect {
namespace {

// All detectors look at some events while these are in the cache.
constexpr size_t kBatch = 2048;
// Intervals of threads are counted in 32 bits, and an event ends at most two.
constexpr uint64_t kMostEvents = uint64_t{1} << 31;

std::vector<std::unique_ptr<Detector>> make_detectors(const trace::EventStream& stream,
                                                      const DetectOptions& options) {
  std::vector<std::unique_ptr<Detector>> detectors;
  if (options.races)
    detectors.push_back(std::make_unique<RaceDetector>(stream, options.reads_from, options.most_findings,
                                                       options.relevances));
  if (options.lock_set) detectors.push_back(std::make_unique<LockSetDetector>(stream, options.most_findings));
  if (options.hybrid)
    detectors.push_back(std::make_unique<HybridDetector>(stream, options.most_findings, options.relevances));
  if (options.lock_order)
    detectors.push_back(std::make_unique<LockOrderDetector>(stream, options.most_findings));
  return detectors;
}

uint64_t bytes_of(const std::vector<std::unique_ptr<Detector>>& detectors) {
  uint64_t bytes = 0;
  for (const auto& detector : detectors) bytes += detector->bytes();
  return bytes;
}

// Accesses to more than this are looked at one by one, so that the memory that they need is noticed in time.
constexpr uint64_t kLargeAccess = 1 << 16;
constexpr uint64_t kBytesForAByte = 32;  // that all detectors together need, about

bool is_large(const trace::EventRecord& event) {
  return event.size > kLargeAccess && trace::has_extent(event.kind) && event.kind != trace::EventKind::kFree;
}

// The next events that can be looked at without a glance at the memory in use.
std::span<const trace::EventRecord> next_part(std::span<const trace::EventRecord> events) {
  const size_t most = std::min(kBatch, events.size());
  for (size_t i = 0; i < most; ++i)
    if (is_large(events[i])) return events.first(std::max<size_t>(i, 1));
  return events.first(most);
}

}  // namespace

// The main loop.
Expected<Detections> detect(trace::EventStream& stream, const DetectOptions& options) {
  const auto detectors = make_detectors(stream, options);
  Detections found;
  while (true) {
    const auto events = stream.next();
    if (!events) return tl::unexpected(events.error());
    if (events->empty()) break;
    for (auto left = *events; !left.empty();) {
      const auto part = next_part(left);
      left = left.subspan(part.size());
      const bool too_large =
          is_large(part.front()) && part.front().size * kBytesForAByte > options.most_bytes;
      if (too_large || bytes_of(detectors) > options.most_bytes) {
        return usage_error(fmt::format("{}: more than {} MB of memory are needed at event {}", stream.title(),
                                       options.most_bytes >> 20, found.events));
      }
      for (const auto& detector : detectors) detector->add(part, found.events);
      found.events += part.size();
      if (found.events > kMostEvents)
        return usage_error(fmt::format("{} has more than {} events", stream.title(), kMostEvents));
    }
  }
  found.bytes = bytes_of(detectors);
  for (const auto& detector : detectors) detector->finish(found);
  return found;
}

}  // namespace heddle::detect
