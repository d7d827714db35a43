#include "tables.h"

#include <fmt/format.h>

#include "common/table.h"

namespace heddle::bench {
namespace {

// A search that ends sooner has spent much of its time on starting heddle.
constexpr uint64_t kEnoughForARate = 2000;

std::string executions_of(const Attempt& attempt) {
  switch (attempt.end) {
    case AttemptEnd::kFound:
      return std::to_string(attempt.executions);
    case AttemptEnd::kLimit:
      return fmt::format(">{}", attempt.executions);
    case AttemptEnd::kOver:
      return fmt::format("over {}", attempt.executions);
    case AttemptEnd::kBroken:
      return "broken";
  }
  return "";
}

std::string seconds_of(const Attempt& attempt) {
  const std::string seconds = fmt::format("{:.{}f}", attempt.cpu_seconds, attempt.cpu_seconds < 10 ? 2 : 0);
  return attempt.found() ? seconds : fmt::format(">{}", seconds);
}

double rate_of(const Attempt& attempt) {
  return static_cast<double>(attempt.executions) / attempt.cpu_seconds;
}

std::string printed_rate(const Attempt& attempt) {
  if (attempt.end == AttemptEnd::kBroken) return "broken";
  const std::string rate = fmt::format("{:.0f}", rate_of(attempt));
  return attempt.executions < kEnoughForARate ? fmt::format("({})", rate) : rate;
}

using PrintedCell = std::function<std::string(const Attempt&)>;

Table table_of(const ResultRows& rows, const std::vector<std::string>& strategies, const PrintedCell& print) {
  std::vector<std::string> headings{"subject"};
  headings.insert(headings.end(), strategies.begin(), strategies.end());
  Table table(headings);
  for (const ResultRow& row : rows) {
    std::vector<std::string> cells{row.run.title()};
    for (const std::string& strategy : strategies) cells.push_back(print(row.attempts.at(strategy)));
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

Expected<ResultRows> measure_all(const std::vector<SubjectRun>& runs,
                                 const std::vector<std::string>& strategies, const Measure& measure) {
  ResultRows rows;
  for (const SubjectRun& run : runs) {
    ResultRow row{run, {}};
    for (const std::string& strategy : strategies) {
      Expected<Attempt> attempt = measure(run, strategy);
      if (!attempt) return tl::unexpected(attempt.error());
      fmt::print(stderr, "{} {}: {} executions, {:.2f} s {}\n", run.title(), strategy,
                 executions_of(*attempt), attempt->cpu_seconds, attempt->problem);
      row.attempts.emplace(strategy, std::move(*attempt));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string print_executions(const ResultRows& rows, const std::vector<std::string>& strategies,
                             bool markdown) {
  return table_of(rows, strategies, executions_of).print(markdown);
}

std::string print_cpu_seconds(const ResultRows& rows, const std::vector<std::string>& strategies,
                              bool markdown) {
  return table_of(rows, strategies, seconds_of).print(markdown);
}

std::string print_rates(const ResultRows& rows, const std::vector<std::string>& strategies, bool markdown) {
  Table table = table_of(rows, strategies, printed_rate);
  std::vector<std::string> all{"all"};
  for (const std::string& strategy : strategies)
    all.push_back(fmt::format("{:.0f}", rate_of(rows, strategy)));
  table.add(std::move(all));
  return table.print(markdown);
}

double rate_of(const ResultRows& rows, const std::string& strategy) {
  double executions = 0;
  double seconds = 0;
  for (const ResultRow& row : rows) {
    const Attempt& attempt = row.attempts.at(strategy);
    if (attempt.end == AttemptEnd::kBroken || attempt.executions < kEnoughForARate) continue;
    executions += static_cast<double>(attempt.executions);
    seconds += attempt.cpu_seconds;
  }
  return seconds > 0 ? executions / seconds : 0;
}

}  // namespace heddle::bench
