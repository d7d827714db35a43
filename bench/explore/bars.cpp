#include "bars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace heddle::bench {
namespace {

constexpr double kFewExecutions = 20;
constexpr double kMostForHundredSetters = 50;
constexpr double kLowestRate = 3000;

// Infinite where nothing was found.
double executions_to_find(const ResultRow& row, const std::string& strategy) {
  const Attempt& attempt = row.attempts.at(strategy);
  return attempt.found() ? static_cast<double>(attempt.executions) : std::numeric_limits<double>::infinity();
}

ResultRows with(const ResultRows& rows, const std::vector<std::string>& strategies) {
  ResultRows result;
  std::ranges::copy_if(rows, std::back_inserter(result), [&](const ResultRow& row) {
    return std::ranges::all_of(strategies,
                               [&](const std::string& each) { return row.attempts.contains(each); });
  });
  return result;
}

ResultRows paper_shaped(const ResultRows& rows) {
  ResultRows result;
  std::ranges::copy_if(rows, std::back_inserter(result),
                       [](const ResultRow& row) { return row.run.group != "hard"; });
  return result;
}

Bar all_found(std::string demand, const ResultRows& rows, const std::string& strategy) {
  Bar bar{std::move(demand), "", Verdict::kNotMeasured};
  std::vector<std::string> missed;
  for (const ResultRow& row : rows) {
    if (!row.attempts.at(strategy).found()) missed.push_back(row.run.title());
  }
  if (rows.empty()) return bar;
  bar.figure = fmt::format("{} of {}", rows.size() - missed.size(), rows.size());
  if (!missed.empty()) bar.figure += fmt::format(", not {}", fmt::join(missed, ", "));
  bar.verdict = missed.empty() ? Verdict::kMet : Verdict::kNotMet;
  return bar;
}

Bar hapset_needs_fewer(const ResultRows& rows) {
  Bar bar{"hapset needs fewer executions than dpor and pcb:2 where those need over 20", "",
          Verdict::kNotMeasured};
  size_t compared = 0;
  std::vector<std::string> exceptions;
  for (const ResultRow& row : rows) {
    const double hapset = executions_to_find(row, "hapset");
    for (const char* peer : {"dpor", "pcb:2"}) {
      const double others = executions_to_find(row, peer);
      if (others <= kFewExecutions) continue;
      ++compared;
      if (!(hapset < others)) exceptions.push_back(fmt::format("{} ({})", row.run.title(), peer));
    }
  }
  if (rows.empty()) return bar;
  bar.figure = fmt::format("{} of {} comparisons", compared - exceptions.size(), compared);
  if (!exceptions.empty()) bar.figure += fmt::format(", not {}", fmt::join(exceptions, ", "));
  bar.verdict = exceptions.empty() ? Verdict::kMet : Verdict::kNotMet;
  return bar;
}

// The exponent e of the power law threads^e that fits best.
double growth(const ResultRows& rows, const std::string& strategy) {
  double n = 0, x_sum = 0, y_sum = 0, xx_sum = 0, xy_sum = 0;
  for (const ResultRow& row : rows) {
    const double x = std::log(std::stod(row.run.word));
    const double y = std::log(executions_to_find(row, strategy));
    n += 1;
    x_sum += x;
    y_sum += y;
    xx_sum += x * x;
    xy_sum += x * y;
  }
  return (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
}

Bar grows_linearly(std::string demand, const ResultRows& all, const std::string& strategy) {
  Bar bar{std::move(demand), "", Verdict::kNotMeasured};
  std::set<std::string> subjects;
  for (const ResultRow& row : all) subjects.insert(row.run.subject);
  for (const std::string& subject : subjects) {
    ResultRows rows;
    std::ranges::copy_if(all, std::back_inserter(rows),
                         [&](const ResultRow& row) { return row.run.subject == subject; });
    if (rows.size() < 2) continue;
    const double exponent = growth(rows, strategy);
    if (bar.verdict == Verdict::kNotMeasured) bar.verdict = Verdict::kMet;
    if (!(exponent <= 1)) bar.verdict = Verdict::kNotMet;
    bar.figure += bar.figure.empty() ? "" : ", ";
    bar.figure += std::isfinite(exponent) ? fmt::format("{} n^{:.2f}", subject, exponent)
                                          : fmt::format("{} not found", subject);
  }
  return bar;
}

Bar hundred_setters(const ResultRows& rows) {
  Bar bar{"100 setters: at most 50 executions of auto", "", Verdict::kNotMeasured};
  for (const ResultRow& row : rows) {
    if (row.run.title() != "setters 100") continue;
    const double executions = executions_to_find(row, "auto");
    bar.figure = std::isfinite(executions) ? fmt::format("{:.0f}", executions) : "not found";
    bar.verdict = executions <= kMostForHundredSetters ? Verdict::kMet : Verdict::kNotMet;
  }
  return bar;
}

Bar fast_enough(const ResultRows& rows) {
  Bar bar{"at least 3,000 executions per CPU-second on the small subjects, search included", "",
          Verdict::kNotMeasured};
  if (rows.empty()) return bar;
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& [strategy, attempt] : rows[0].attempts) {
    const double rate = rate_of(rows, strategy);
    if (rate == 0 || rate >= lowest) continue;
    lowest = rate;
    bar.figure = fmt::format("{:.0f} by {}, the slowest", rate, strategy);
  }
  if (std::isfinite(lowest)) bar.verdict = lowest >= kLowestRate ? Verdict::kMet : Verdict::kNotMet;
  return bar;
}

}  // namespace

bool is_sound(const Results& results) {
  const auto has_no_problem = [](const ResultRow& row) {
    return std::ranges::all_of(row.attempts,
                               [](const auto& named) { return named.second.end != AttemptEnd::kBroken; });
  };
  return std::ranges::all_of(results.first_failures, has_no_problem) &&
         std::ranges::all_of(results.scaling, has_no_problem) &&
         std::ranges::all_of(results.rates, has_no_problem);
}

std::vector<Bar> judge(const Results& results) {
  const ResultRows& failures = results.first_failures;
  return {
      all_found("hapset finds every bug of the paper's subjects", paper_shaped(with(failures, {"hapset"})),
                "hapset"),
      hapset_needs_fewer(paper_shaped(with(failures, {"hapset", "dpor", "pcb:2"}))),
      all_found("auto finds every bug of all subjects", with(failures, {"auto"}), "auto"),
      grows_linearly("executions of hapset grow at most linearly with threads, on the paper's subjects",
                     paper_shaped(with(results.scaling, {"hapset"})), "hapset"),
      grows_linearly("executions of rf grow at most linearly with threads, on all subjects",
                     with(results.scaling, {"rf"}), "rf"),
      hundred_setters(with(results.scaling, {"auto"})),
      fast_enough(results.rates),
  };
}

}  // namespace heddle::bench
