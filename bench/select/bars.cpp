#include "bars.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::bench {
namespace {

constexpr double kMostSelected = 15;        // percent of the tests, in the median
constexpr double kLeastApfd = 94;           // mean over all tests
constexpr double kMostAnalysis = 2;         // CPU-seconds
constexpr double kMostAnalysisShare = 1.0;  // percent of the time that the tests take

Verdict met_if(bool condition) {
  return condition ? Verdict::kMet : Verdict::kNotMet;
}

Bar all_races_revealed(const std::vector<ChangeFigures>& rows) {
  Bar bar{"the selected tests reveal every regression race that all tests reveal", "", Verdict::kNotMeasured};
  size_t revealed = 0;
  size_t all = 0;
  std::vector<std::string> exceptions;
  for (const ChangeFigures& row : rows) {
    revealed += row.heddle.races;
    all += row.all.races;
    if (row.heddle.races < row.all.races) exceptions.push_back(row.name());
  }
  if (all == 0) return bar;
  bar.figure = fmt::format("{} of {}", revealed, all);
  if (!exceptions.empty()) bar.figure += fmt::format(", not {}", fmt::join(exceptions, ", "));
  bar.verdict = met_if(exceptions.empty());
  return bar;
}

Bar few_selected(const std::vector<ChangeFigures>& rows) {
  std::vector<double> shares;
  for (const ChangeFigures& row : rows) shares.push_back(row.share());
  std::ranges::sort(shares);
  // Of two in the middle, their mean.
  const double middle = (shares[shares.size() / 2] + shares[(shares.size() - 1) / 2]) / 2;
  return {fmt::format("at most {:.0f}% of the tests selected, in the median", kMostSelected),
          fmt::format("{:.2f}%", middle), met_if(middle <= kMostSelected)};
}

Bar high_mean(const std::vector<ChangeFigures>& rows) {
  Bar bar{fmt::format("mean APFD over all tests at least {:.0f}", kLeastApfd), "", Verdict::kNotMeasured};
  double sum = 0;
  size_t count = 0;
  for (const ChangeFigures& row : rows) {
    if (!row.suite.heddle) continue;
    sum += *row.suite.heddle;
    ++count;
  }
  if (count == 0) return bar;
  const double mean = sum / static_cast<double>(count);
  bar.figure = fmt::format("{:.1f}", mean);
  bar.verdict = met_if(mean >= kLeastApfd);
  return bar;
}

using Baselines = std::vector<std::optional<double>>;

// Whether heddle's order is at least as good as the others, on every subject.
Bar at_least(std::string demand, const std::vector<ChangeFigures>& rows,
             const std::function<const ApfdFigures&(const ChangeFigures&)>& of,
             const std::function<Baselines(const ApfdFigures&)>& baselines) {
  Bar bar{std::move(demand), "", Verdict::kNotMeasured};
  size_t compared = 0;
  std::vector<std::string> exceptions;
  for (const ChangeFigures& row : rows) {
    const ApfdFigures& apfd = of(row);
    if (!apfd.heddle) continue;
    ++compared;
    const Baselines others = baselines(apfd);
    if (std::ranges::any_of(others, [&](const auto& other) { return other && *other > *apfd.heddle; }))
      exceptions.push_back(row.name());
  }
  if (compared == 0) return bar;
  bar.figure = fmt::format("{} of {}", compared - exceptions.size(), compared);
  if (!exceptions.empty()) bar.figure += fmt::format(", not {}", fmt::join(exceptions, ", "));
  bar.verdict = met_if(exceptions.empty());
  return bar;
}

Bar at_most(std::string demand, const std::vector<ChangeFigures>& rows, const char* unit, double most,
            const std::function<double(const ChangeFigures&)>& value) {
  const auto largest =
      std::ranges::max_element(rows, {}, [&](const ChangeFigures& row) { return value(row); });
  return {std::move(demand), fmt::format("{:.2f}{} on {}, the most", value(*largest), unit, largest->name()),
          met_if(value(*largest) <= most)};
}

}  // namespace

std::vector<Bar> judge(const std::vector<ChangeFigures>& rows) {
  if (rows.empty()) return {};
  const auto suite = [](const ChangeFigures& row) -> const ApfdFigures& { return row.suite; };
  const auto selected = [](const ChangeFigures& row) -> const ApfdFigures& { return row.selected; };
  return {
      all_races_revealed(rows),
      few_selected(rows),
      high_mean(rows),
      at_least("APFD over all tests at least that of block coverage and of random orders, everywhere", rows,
               suite, [](const ApfdFigures& apfd) { return Baselines{apfd.blocks, apfd.random}; }),
      at_least("APFD over the selected tests at least that of random orders, everywhere", rows, selected,
               [](const ApfdFigures& apfd) { return Baselines{apfd.random}; }),
      at_most(fmt::format("analysis takes at most {:.0f} CPU-seconds with a warm cache", kMostAnalysis), rows,
              " s", kMostAnalysis, [](const ChangeFigures& row) { return row.analysis_cpu_seconds; }),
      at_most(fmt::format("analysis takes at most {:.0f}% of the time that all tests take in `heddle test`",
                          kMostAnalysisShare),
              rows, "%", kMostAnalysisShare, [](const ChangeFigures& row) { return row.analysis_share(); }),
  };
}

}  // namespace heddle::bench
