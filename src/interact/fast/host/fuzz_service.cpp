#include "interact/fast/host/fuzz_service.h"

#include <algorithm>
#include <utility>

namespace heddle::fast {
namespace {

// A slice takes so many times its CPU time at most: on a busy machine, or with programs in processes.
constexpr uint64_t kMostWait = 4;

}  // namespace

FuzzService::FuzzService(fuzz::LoopSettings settings, FastRunner& runner, const HostLink& link,
                         InFlight& in_flight)
    : settings_(std::move(settings)),
      runner_(runner),
      link_(link),
      in_flight_(in_flight),
      loop_(settings_, *this, *this) {}

size_t FuzzService::edges_of(size_t version) const {
  const LoadedProgram* const loaded = runner_.loaded(version);
  return loaded == nullptr ? 0 : loaded->counters().size();
}

Expected<fuzz::Execution> FuzzService::run(const concolic::ProgramInput& input, size_t versions,
                                           bool wants_compares) {
  in_flight_.begin(input);
  const auto runs = runner_.run(input, wants_compares, versions);
  in_flight_.end();
  if (!runs) return tl::unexpected(runs.error());
  fuzz::Execution execution;
  execution.runs = *runs;
  execution.ran_here = runs->front().process == nullptr;
  const LoadedProgram* const base = runner_.loaded(kBaseVersion);
  const LoadedProgram* const head = runner_.loaded(kHeadVersion);
  if (base == nullptr || head == nullptr) return execution;
  execution.base_edges = base->counters();
  execution.head_edges = head->counters();
  execution.marks = head->marks();
  execution.comparisons = {head->compares(), head->texts()};
  return execution;
}

void FuzzService::differs(const fuzz::FoundDifference& found) {
  link_.send(FrameKind::kFound, fuzz::to_text(found));
}

void FuzzService::keeps(const fuzz::KeptForCorpus& kept) {
  link_.send(FrameKind::kKept, fuzz::to_text(kept));
}

Expected<void> FuzzService::run_slice(fuzz::SliceRequest request) {
  for (concolic::ProgramInput& seed : request.seeds) loop_.add_seed(std::move(seed));
  for (const uint32_t way : request.done) loop_.mark_done(way);
  fuzz::FuzzLoop::Limits limits;
  limits.executions = request.most_executions;
  uint64_t longest = request.milliseconds;
  if (request.cpu_milliseconds != 0) {
    limits.cpu_time = std::chrono::milliseconds(request.cpu_milliseconds);
    longest = std::min(longest, kMostWait * request.cpu_milliseconds);
  }
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(longest);
  const Expected<void> done = loop_.run(limits);
  if (done) link_.send(FrameKind::kSliceEnded, fuzz::to_text(loop_.report()));
  return done;
}

}  // namespace heddle::fast
