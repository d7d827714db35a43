// What was measured, in rows, and how it is printed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "attempts.h"
#include "catalogue.h"
#include "support/error.h"

namespace heddle::bench {

struct ResultRow {
  SubjectRun run;
  std::map<std::string, Attempt> attempts;  // by strategy
};
using ResultRows = std::vector<ResultRow>;

using Measure = std::function<Expected<Attempt>(const SubjectRun& run, const std::string& strategy)>;

// One attempt for each subject and strategy. Says each result on the standard error as it comes, since all of
// them take long.
Expected<ResultRows> measure_all(const std::vector<SubjectRun>& runs,
                                 const std::vector<std::string>& strategies, const Measure& measure);

// Executions, ">N" where the limit came first and "over N" where the search ended without a failure.
std::string print_executions(const ResultRows& rows, const std::vector<std::string>& strategies,
                             bool markdown);
std::string print_cpu_seconds(const ResultRows& rows, const std::vector<std::string>& strategies,
                              bool markdown);
// Executions per CPU-second, in brackets where the search ended before it could be measured.
std::string print_rates(const ResultRows& rows, const std::vector<std::string>& strategies, bool markdown);

// Executions per CPU-second over all subjects with enough executions; 0 if there is none.
double rate_of(const ResultRows& rows, const std::string& strategy);

}  // namespace heddle::bench
