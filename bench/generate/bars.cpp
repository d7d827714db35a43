#include "bars.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/median.h"

namespace heddle::bench {
namespace {

constexpr double kMostCpuSeconds = 20;
constexpr double kLeastFirst = 0.8;  // of the bugs
constexpr double kLeastReduction = 50;
constexpr double kMostLost = 0.02;

Bar bar(std::string demand, std::string figure, bool is_met) {
  return {std::move(demand), std::move(figure), is_met ? Verdict::kMet : Verdict::kNotMet};
}

// How many of them it holds for, and for which it does not: "11 of 12, not a, b".
template <class Row>
struct Share {
  template <class Holds>
  Share(const std::vector<Row>& rows, const Holds& holds) {
    for (const Row& row : rows) {
      if (holds(row)) {
        ++holding;
      } else {
        others += (others.empty() ? ", not " : ", ") + row.name;
      }
    }
    all = rows.size();
  }
  std::string text() const { return fmt::format("{} of {}{}", holding, all, others); }

  size_t holding = 0;
  size_t all = 0;
  std::string others;
};

std::vector<FailureSearch> with_bug(const std::vector<FailureSearch>& searches, bool has_bug) {
  std::vector<FailureSearch> some;
  std::ranges::copy_if(searches, std::back_inserter(some),
                       [&](const FailureSearch& search) { return search.has_bug == has_bug; });
  return some;
}

void add_failure_bars(const std::vector<FailureSearch>& searches, std::vector<Bar>* all) {
  const std::vector<FailureSearch> buggy = with_bug(searches, true);
  const std::vector<FailureSearch> correct = with_bug(searches, false);
  if (!buggy.empty()) {
    const Share found(buggy, [](const FailureSearch& search) {
      const EmittedFailure* failure = search.first_of_bug();
      return failure != nullptr && failure->cpu_seconds <= kMostCpuSeconds;
    });
    all->push_back(bar(
        fmt::format("every bug within {:.0f} CPU-seconds beyond the driver's compilation", kMostCpuSeconds),
        found.text(), found.holding == found.all));
    const Share first(buggy, [](const FailureSearch& search) { return search.starts_with_bug(); });
    all->push_back(bar(
        fmt::format("the first failing test shows the bug, in {:.0f}% of the classes", 100 * kLeastFirst),
        first.text(), static_cast<double>(first.holding) >= kLeastFirst * static_cast<double>(first.all)));
  }
  if (!correct.empty()) {
    const Share quiet(correct, [](const FailureSearch& search) { return search.failures.empty(); });
    all->push_back(bar("no failing test of a correct class", quiet.text(), quiet.holding == quiet.all));
  }
}

void add_coverage_bar(const std::vector<CoverageFigures>& figures, const CoverageOptions& options,
                      std::vector<Bar>* all) {
  if (figures.empty()) return;
  const Share reached(figures, [](const CoverageFigures& row) {
    return row.heddle.status.requirements.covered >= row.random.status.requirements.covered;
  });
  const auto in_seconds = [](std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
  };
  all->push_back(bar(fmt::format("{:.3g} s cover as much as {:.3g} s of random tests",
                                 in_seconds(options.heddle), in_seconds(options.random)),
                     reached.text(), reached.holding == reached.all));
}

void add_pruning_bars(const std::vector<PruningFigures>& figures, std::vector<Bar>* all) {
  if (figures.empty()) return;
  std::vector<double> reductions;
  double lost = 0;
  bool is_bounded = false;
  for (const PruningFigures& row : figures) {
    reductions.push_back(row.reduction());
    lost = std::max(lost, row.lost());
    is_bounded = is_bounded || !row.off.is_complete;
  }
  const double reduction = median(reductions);
  all->push_back(bar(
      fmt::format("pruning executes {:.0f} times fewer sequences, in the median", kLeastReduction),
      fmt::format("{}{:.1f} times", is_bounded ? "at least " : "", reduction), reduction >= kLeastReduction));
  all->push_back(
      bar(fmt::format("pruning loses at most {:.0f}% of the calls that raise coverage", 100 * kMostLost),
          fmt::format("{:.1f}% at most", 100 * lost), lost <= kMostLost));
}

}  // namespace

std::vector<Bar> bars(const GenerateFigures& figures, const GenerateSettings& settings) {
  std::vector<Bar> all;
  add_failure_bars(figures.failures, &all);
  add_coverage_bar(figures.coverage, settings.coverage, &all);
  add_pruning_bars(figures.pruning, &all);
  return all;
}

}  // namespace heddle::bench
