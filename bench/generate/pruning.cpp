#include "pruning.h"

#include <algorithm>
#include <unordered_set>

#include "common/process.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

using Clock = std::chrono::steady_clock;

Expected<SequenceFigures> search_sequences(const PreparedSubject& prepared, const PruningOptions& options,
                                           bool prunes) {
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Expected<std::unique_ptr<generate::DriverSession>> session = open_session(prepared, *symbolizer);
  if (!session) return tl::unexpected(session.error());
  const double before = cpu_seconds_with_running();
  const Clock::time_point deadline = Clock::now() + options.limit;
  generate::SequenceSearch search(**session, prepared.driver.operations,
                                  {.longest = options.depth, .prunes = prunes});
  if (const Expected<void> begun = search.begin(); !begun) return tl::unexpected(begun.error());
  SequenceFigures figures;
  while (!figures.is_complete && Clock::now() < deadline && !was_interrupted()) {
    const Expected<std::optional<uint32_t>> node = search.expand_next();
    if (!node) return tl::unexpected(node.error());
    figures.is_complete = !*node;
  }
  figures.counts = search.counts();
  figures.raises = search.raises();
  figures.cpu_seconds = cpu_seconds_with_running() - before;
  return figures;
}

}  // namespace

double PruningFigures::reduction() const {
  return static_cast<double>(off.counts.sequences) /
         static_cast<double>(std::max<uint64_t>(1, on.counts.sequences));
}

uint64_t PruningFigures::kept() const {
  std::unordered_set<uint64_t> covered;
  for (const std::vector<uint64_t>& raise : on.raises) covered.insert(raise.begin(), raise.end());
  return static_cast<uint64_t>(
      std::count_if(off.raises.begin(), off.raises.end(), [&](const std::vector<uint64_t>& raise) {
        return std::all_of(raise.begin(), raise.end(), [&](uint64_t key) { return covered.contains(key); });
      }));
}

double PruningFigures::lost() const {
  const size_t all = off.raises.size();
  return all == 0 ? 0 : static_cast<double>(all - kept()) / static_cast<double>(all);
}

Expected<PruningFigures> compare_pruning(const PreparedSubject& prepared, const PruningOptions& options) {
  const Expected<SequenceFigures> on = search_sequences(prepared, options, /*prunes=*/true);
  if (!on) return tl::unexpected(on.error());
  const Expected<SequenceFigures> off = search_sequences(prepared, options, /*prunes=*/false);
  if (!off) return tl::unexpected(off.error());
  return PruningFigures{.name = prepared.subject.name, .on = *on, .off = *off};
}

}  // namespace heddle::bench
