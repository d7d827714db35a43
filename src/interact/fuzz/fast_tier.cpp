#include "interact/fuzz/fast_tier.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace heddle::fuzz {
namespace {

using fast::FrameKind;
using fast::HostLink;
using Clock = std::chrono::steady_clock;

// What an execution may take beyond the end of its slice, in all versions and in processes.
constexpr std::chrono::seconds kTimeBeyond{60};
constexpr std::chrono::milliseconds kBetweenLooks{200};
// Then the program's inputs are not worth a host each.
constexpr uint64_t kMostLost = 10;

Error incomplete() {
  return {"what heddle-interact-host says is not complete", Error::Kind::kInternal};
}

}  // namespace

Expected<FastTier> FastTier::create(fast::FastOptions options, const MakeSettings& make_settings) {
  Expected<fast::FastHost> host = fast::FastHost::start(options);
  if (!host) return tl::unexpected(host.error());
  FastTier tier(std::move(*host), std::move(options));
  tier.needs_processes_ = tier.host_.needs_processes();
  const Expected<std::vector<uint64_t>> places = tier.ask_places();
  if (!places) return tl::unexpected(places.error());
  tier.settings_ = make_settings(*places);
  if (!tier.host_.send(FrameKind::kBeginLoop, to_text(tier.settings_)))
    return internal_error("heddle-interact-host ends before it begins");
  return tier;
}

Expected<std::vector<uint64_t>> FastTier::ask_places() {
  fast::Frame frame;
  if (!host_.send(FrameKind::kAskPlaces, "") ||
      host_.receive(&frame, kTimeBeyond) != HostLink::Arrival::kFrame || frame.kind != FrameKind::kPlaces)
    return tl::unexpected(incomplete());
  fast::FrameReader reader(frame.text);
  std::vector<uint64_t> places;
  for (uint64_t count = reader.number(); count > 0 && reader.is_whole(); --count)
    places.push_back(reader.number());
  return places;
}

Expected<void> FastTier::recover(const Handlers& handlers) {
  ++lost_;
  if (lost_ > kMostLost && lives_in_host()) {
    needs_processes_ = fmt::format("inputs damage the process that the versions share ({} times)", lost_);
    for (fast::FastVersion& version : options_.versions) {
      version.fast.clear();
      version.why_not = needs_processes_;
    }
    Expected<fast::FastHost> host = fast::FastHost::start(options_);
    if (!host) return tl::unexpected(host.error());
    host_ = std::move(*host);
    lost_told_ = 0;
  } else if (const Expected<void> replaced = host_.replace(); !replaced) {
    return replaced;
  }
  for (; lost_told_ < host_.lost().size(); ++lost_told_) {
    settings_.avoided.push_back(host_.lost()[lost_told_]);
    if (handlers.loses) handlers.loses(settings_.avoided.back());
  }
  // Otherwise the next one would come to the same end in the same way.
  ++settings_.seed;
  before_.executions += last_.executions;
  before_.in_processes += last_.in_processes;
  before_.differing += last_.differing;
  last_ = {};
  first_way_ += last_way_;
  first_trace_ += traces_;
  last_way_ = traces_ = 0;
  if (!host_.send(FrameKind::kBeginLoop, to_text(settings_)))
    return internal_error("heddle-interact-host ends before it begins");
  return {};
}

void FastTier::take_numbers(SliceReport* report) {
  traces_ += static_cast<uint32_t>(report->new_traces.size());
  for (TracedCount& count : report->counts) {
    last_way_ = std::max(last_way_, count.way);
    count.trace += first_trace_;
    if (count.way != 0) count.way += first_way_;
  }
  last_ = *report;
  report->executions += before_.executions;
  report->in_processes += before_.in_processes;
  report->differing += before_.differing;
}

Expected<std::optional<SliceReport>> FastTier::run_slice(SliceRequest request, const Handlers& handlers) {
  std::erase_if(request.done, [&](uint32_t way) { return way <= first_way_; });
  for (uint32_t& way : request.done) way -= first_way_;
  const auto end = Clock::now() + std::chrono::milliseconds(request.milliseconds);
  bool is_sent = host_.send(FrameKind::kRunSlice, to_text(request));
  for (fast::Frame frame;;) {
    if (handlers.is_interrupted && handlers.is_interrupted()) return std::optional<SliceReport>();
    const HostLink::Arrival arrival =
        is_sent ? host_.receive(&frame, kBetweenLooks) : HostLink::Arrival::kLost;
    if (arrival == HostLink::Arrival::kNothing && Clock::now() < end + kTimeBeyond) continue;
    if (arrival != HostLink::Arrival::kFrame) {
      // The signal that interrupts heddle ends the host as well.
      if (handlers.is_interrupted && handlers.is_interrupted()) return std::optional<SliceReport>();
      if (const Expected<void> recovered = recover(handlers); !recovered)
        return tl::unexpected(recovered.error());
      // What is left of the slice, on the corpus that there was.
      request.seeds.insert(request.seeds.end(), corpus_.begin(), corpus_.end());
      corpus_.clear();
      request.done.clear();
      request.milliseconds = static_cast<uint64_t>(std::max<int64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count(), 0));
      is_sent = host_.send(FrameKind::kRunSlice, to_text(request));
      continue;
    }
    switch (frame.kind) {
      case FrameKind::kFound: {
        std::optional<FoundDifference> found = difference_from(frame.text);
        if (!found) return tl::unexpected(incomplete());
        last_way_ = std::max(last_way_, found->way);
        found->way += first_way_;
        if (handlers.differs) handlers.differs(*found);
        break;
      }
      case FrameKind::kKept: {
        const std::optional<KeptForCorpus> kept = kept_from(frame.text);
        if (!kept) return tl::unexpected(incomplete());
        corpus_.push_back(kept->input);
        if (handlers.keeps) handlers.keeps(*kept);
        break;
      }
      case FrameKind::kSliceEnded: {
        std::optional<SliceReport> report = report_from(frame.text);
        if (!report) return tl::unexpected(incomplete());
        take_numbers(&*report);
        return report;
      }
      case FrameKind::kError:
        return internal_error(std::move(frame.text));
      default:
        return tl::unexpected(incomplete());
    }
  }
}

}  // namespace heddle::fuzz
