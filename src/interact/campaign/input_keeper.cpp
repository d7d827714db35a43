#include "interact/campaign/input_keeper.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle::interact {
namespace {

// Of the time, at most one part in so many is spent on asking the guarded forms about inputs that do not
// differ.
constexpr int kGuardedPart = 5;

bool is_failing(Judgement judgement) {
  return judgement == Judgement::kRegression || judgement == Judgement::kIncompleteFix;
}

// What a user would call the same failure again.
std::string failure_name(const Behaviour& head) {
  return head.report.empty() ? fmt::format("ended by signal {}", head.signal) : head.report;
}

// In the same respects, but for a report that only the guarded forms give.
bool is_same_way(const Differing& a, const Differing& b) {
  const auto without_report = [](std::vector<Aspect> aspects) {
    std::erase(aspects, Aspect::kReport);
    return aspects;
  };
  return a.aspects == b.aspects ||
         (!a.aspects.empty() && without_report(a.aspects) == without_report(b.aspects));
}

}  // namespace

bool InputKeeper::wants_report(const Statements& sequence) const {
  return !sequence.empty() && has_time_for_report() && !guarded_.contains(sequence);
}

bool InputKeeper::has_time_for_report() const {
  return guarded_for_ * kGuardedPart <= Clock::now() - began_;
}

Expected<std::vector<uint32_t>> InputKeeper::try_input(const Candidate& candidate) {
  Expected<Differing> differing = differential_.try_input(candidate.input);
  if (!differing) return tl::unexpected(differing.error());
  if (!differing->aspects.empty()) return look_at(candidate, &*differing);
  if (differing->head.was_ended() || (!candidate.asks_guarded && !wants_report(candidate.sequence)))
    return Failures();
  guarded_.insert(candidate.sequence);
  return look_for_report(candidate, &*differing);
}

Expected<std::vector<uint32_t>> InputKeeper::look_for_report(const Candidate& candidate,
                                                             Differing* differing) {
  const Clock::time_point before = Clock::now();
  const Expected<Difference> confirmed = differential_.confirm(differing);
  guarded_for_ += Clock::now() - before;
  if (!confirmed) return tl::unexpected(confirmed.error());
  if (*confirmed != Difference::kError) return std::vector<uint32_t>();
  ++result_.inputs_differing;
  search_.mark_known(candidate.sequence);
  std::vector<uint32_t> failures = failures_of(*differing);
  if (!is_wanted(candidate.sequence, failures, differing->aspects)) return failures;
  if (const Expected<void> kept = keep(candidate, *differing, *confirmed, failures); !kept)
    return tl::unexpected(kept.error());
  return failures;
}

// Which failures a differing input shows, and if it is of a kind that has not been seen, keeps it.
Expected<std::vector<uint32_t>> InputKeeper::look_at(const Candidate& candidate, Differing* differing) {
  ++result_.inputs_differing;
  search_.mark_known(candidate.sequence);
  if (const Expected<void> asked = differential_.ask_golden(differing); !asked)
    return tl::unexpected(asked.error());
  std::vector<uint32_t> failures = failures_of(*differing);
  if (!is_wanted(candidate.sequence, failures, differing->aspects)) return failures;
  const Expected<Difference> confirmed = differential_.confirm(differing);
  if (!confirmed) return tl::unexpected(confirmed.error());
  if (*confirmed == Difference::kUnstable) ++result_.inputs_unstable;
  if (*confirmed != Difference::kDiffers && *confirmed != Difference::kError)
    return std::vector<uint32_t>();  // a failure is what is seen again
  // What has a name without the guarded forms keeps it, so that it is the same failure each time.
  if (failures.empty() || !options_.golden.empty()) failures = failures_of(*differing);
  if (const Expected<void> kept = keep(candidate, *differing, *confirmed, failures); !kept)
    return tl::unexpected(kept.error());
  return failures;
}

// By golden version if there are any; else a crash or a sanitizer's report that the base does not show.
std::vector<uint32_t> InputKeeper::failures_of(const Differing& differing) {
  std::vector<uint32_t> failures;
  if (!options_.golden.empty()) {
    const std::vector<Judgement> judgements = differential_.judge(differing);
    for (size_t i = 0; i < judgements.size(); ++i)
      if (is_failing(judgements[i])) failures.push_back(failure("not as " + options_.golden[i]));
  } else if (differing.head.is_failure() &&
             !(differing.base.is_failure() &&
               is_same_report(failure_name(differing.base), failure_name(differing.head)))) {
    failures.push_back(failure(failure_name(differing.head)));
  }
  return failures;
}

uint32_t InputKeeper::failure(const std::string& name) {
  const auto found = std::find(result_.failures.begin(), result_.failures.end(), name);
  if (found != result_.failures.end()) return static_cast<uint32_t>(found - result_.failures.begin());
  result_.failures.push_back(name);
  return static_cast<uint32_t>(result_.failures.size() - 1);
}

// One input for each way to differ, a few for each sequence; and whatever fails as nothing before.
bool InputKeeper::is_wanted(const Statements& sequence, const std::vector<uint32_t>& failures,
                            const std::vector<Aspect>& aspects) {
  if (result_.kept.size() >= options_.most_kept) return false;
  std::set<Way>& ways = looked_at_[sequence];
  if (!failures.empty() && seen_failures_.insert(failures).second) {
    ways.emplace(failures, aspects);
    return true;
  }
  return ways.size() < options_.most_per_sequence && ways.emplace(failures, aspects).second;
}

Expected<void> InputKeeper::keep(const Candidate& candidate, const Differing& found, Difference difference,
                                 const std::vector<uint32_t>& failures) {
  KeptInput kept{.differing = found,
                 .difference = difference,
                 .judgements = {},
                 .sequence = candidate.sequence,
                 .failures = failures,
                 .tier = candidate.tier,
                 .found_at_execution = candidate.at_execution,
                 .found_at_solver_call = search_.counts().solver.solver_calls,
                 .found_at_cpu = cpu_time_with_children() - began_at_};
  if (!candidate.is_small)
    if (const Expected<void> minimised = minimise(&kept); !minimised) return minimised;
  kept.judgements = differential_.judge(kept.differing);
  if (is_known(kept)) return {};
  result_.kept.push_back(std::move(kept));
  if (options_.kept) options_.kept(result_.kept.back());
  return {};
}

bool InputKeeper::is_known(const KeptInput& kept) const {
  return std::any_of(result_.kept.begin(), result_.kept.end(), [&](const KeptInput& other) {
    return other.differing.input == kept.differing.input ||
           (other.sequence == kept.sequence && other.failures == kept.failures &&
            other.differing.aspects == kept.differing.aspects);
  });
}

// The smallest input that differs in the same way and shows the same failures. What only the guarded forms
// show takes them each time, so fewer steps are made.
Expected<void> InputKeeper::minimise(KeptInput* kept) {
  Expected<void> status;
  const auto ask = [&](const concolic::ProgramInput& input, bool with_guards) -> Expected<bool> {
    Expected<Differing> tried = differential_.try_input(input);
    if (!tried) return tl::unexpected(tried.error());
    if (with_guards) {
      const Expected<Difference> confirmed = differential_.confirm(&*tried);
      if (!confirmed) return tl::unexpected(confirmed.error());
    } else if (is_same_way(*tried, kept->differing)) {
      if (const Expected<void> asked = differential_.ask_golden(&*tried); !asked)
        return tl::unexpected(asked.error());
    }
    return is_same_way(*tried, kept->differing) && failures_of(*tried) == kept->failures;
  };
  const Expected<bool> shows_without = ask(kept->differing.input, false);
  if (!shows_without) return tl::unexpected(shows_without.error());
  const auto still = [&](const concolic::ProgramInput& input) {
    if (!status || Clock::now() >= options_.deadline || was_interrupted()) return false;
    if (options_.is_of_shape && !options_.is_of_shape(input)) return false;
    const Expected<bool> same = ask(input, !*shows_without);
    if (!same) status = tl::unexpected(same.error());
    return same && *same;
  };
  const concolic::ProgramInput smallest = Differential::minimise(
      kept->differing.input, still,
      *shows_without ? options_.most_minimisation_steps : options_.most_minimisation_steps / kGuardedPart);
  if (!status) return status;
  if (smallest == kept->differing.input) return {};
  Expected<Differing> smaller = differential_.try_input(smallest);
  if (!smaller) return tl::unexpected(smaller.error());
  const Expected<Difference> confirmed = differential_.confirm(&*smaller);
  if (!confirmed) return tl::unexpected(confirmed.error());
  if (*confirmed != kept->difference || !is_same_way(*smaller, kept->differing)) return {};
  const Expected<SearchedInput> executed = search_.execute(smallest);
  if (!executed) return tl::unexpected(executed.error());
  kept->differing = std::move(*smaller);
  kept->sequence = executed->sequence;
  search_.mark_known(executed->sequence);
  return {};
}

}  // namespace heddle::interact
