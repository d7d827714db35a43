#include "check.h"

#include <cstdio>

#include <fmt/format.h>

namespace heddle::bench {
namespace {

constexpr uint64_t kSchedulesOfFixed = 50;

}  // namespace

Expected<bool> check_subjects(const std::vector<SubjectRun>& runs, const Attempts& attempts) {
  bool all_right = true;
  const auto complain = [&](const SubjectRun& run, const std::string& problem) {
    fmt::print(stderr, "{}: {}\n", run.title(), problem);
    all_right = false;
  };
  for (const SubjectRun& run : runs) {
    const Expected<Attempt> fixed = attempts.of_fixed(run, "random", kSchedulesOfFixed);
    if (!fixed) return tl::unexpected(fixed.error());
    if (!fixed->problem.empty()) complain(run, fixed->problem);
    const Expected<Attempt> buggy = attempts.to_first_failure(run, "auto");
    if (!buggy) return tl::unexpected(buggy.error());
    if (!buggy->problem.empty()) {
      complain(run, buggy->problem);
    } else if (!buggy->found()) {
      complain(run, fmt::format("no failure in {} executions", buggy->executions));
    }
  }
  return all_right;
}

}  // namespace heddle::bench
