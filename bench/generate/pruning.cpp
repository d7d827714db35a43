#include "pruning.h"

#include <algorithm>
#include <unordered_set>

#include "cpu_clock.h"
#include "support/interruption.h"

namespace heddle::bench {
namespace {

// What the calls behind a node add to what was covered before.
void add_exact_raises(const generate::SequenceNode& node, std::unordered_set<uint64_t>* covered,
                      Raises* raises) {
  for (const generate::ExploredCall& call : node.explored) {
    if (call.end != generate::RunEnd::kFinished && call.end != generate::RunEnd::kBlocked) continue;
    std::vector<uint64_t> added;
    for (const uint64_t key : call.footprint.exact_keys())
      if (covered->insert(key).second) added.push_back(key);
    if (!added.empty()) raises->push_back(std::move(added));
  }
}

uint64_t kept_of(const Raises& off, const Raises& on) {
  std::unordered_set<uint64_t> covered;
  for (const std::vector<uint64_t>& raise : on) covered.insert(raise.begin(), raise.end());
  return static_cast<uint64_t>(std::ranges::count_if(off, [&](const std::vector<uint64_t>& raise) {
    return std::ranges::all_of(raise, [&](uint64_t key) { return covered.contains(key); });
  }));
}

double lost_of(const Raises& off, const Raises& on) {
  if (off.empty()) return 0;
  return static_cast<double>(off.size() - kept_of(off, on)) / static_cast<double>(off.size());
}

Expected<SequenceFigures> search_sequences(const PreparedSubject& prepared, const PruningOptions& options,
                                           bool prunes) {
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Expected<std::unique_ptr<generate::DriverSession>> session = open_session(prepared, *symbolizer);
  if (!session) return tl::unexpected(session.error());
  const generate::TimeBudget time(options.limit, cpu_clock());
  generate::SequenceSearch search(**session, prepared.driver.operations,
                                  {.longest = options.depth, .prunes = prunes});
  if (const Expected<void> begun = search.begin(); !begun) return tl::unexpected(begun.error());
  SequenceFigures figures;
  std::unordered_set<uint64_t> covered;
  while (!figures.is_complete && !time.is_over() && !was_interrupted()) {
    const Expected<std::optional<uint32_t>> node = search.expand_next();
    if (!node) return tl::unexpected(node.error());
    figures.is_complete = !*node;
    if (*node) add_exact_raises(search.nodes()[**node], &covered, &figures.exact_raises);
  }
  figures.counts = search.counts();
  figures.raises = search.raises();
  figures.cpu_seconds = time.seconds();
  return figures;
}

}  // namespace

double PruningFigures::reduction() const {
  return static_cast<double>(off.counts.sequences) /
         static_cast<double>(std::max<uint64_t>(1, on.counts.sequences));
}

uint64_t PruningFigures::kept() const {
  return kept_of(off.raises, on.raises);
}

double PruningFigures::lost() const {
  return lost_of(off.raises, on.raises);
}

double PruningFigures::lost_exactly() const {
  return lost_of(off.exact_raises, on.exact_raises);
}

Expected<PruningFigures> compare_pruning(const PreparedSubject& prepared, const PruningOptions& options) {
  const Expected<SequenceFigures> on = search_sequences(prepared, options, /*prunes=*/true);
  if (!on) return tl::unexpected(on.error());
  const Expected<SequenceFigures> off = search_sequences(prepared, options, /*prunes=*/false);
  if (!off) return tl::unexpected(off.error());
  return PruningFigures{.name = prepared.subject.name, .on = *on, .off = *off};
}

}  // namespace heddle::bench
