#include "interact/campaign/campaign.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "support/cpu_time.h"
#include "support/interruption.h"

namespace heddle::interact {
namespace {

using Clock = std::chrono::steady_clock;
using Statements = std::vector<StatementIndex>;

bool is_failing(Judgement judgement) {
  return judgement == Judgement::kRegression || judgement == Judgement::kIncompleteFix;
}

// What a user would call the same failure again.
std::string failure_name(const Behaviour& head) {
  return head.report.empty() ? fmt::format("ended by signal {}", head.signal) : head.report;
}

class Campaign {
 public:
  Campaign(const ProgramGraph& graph, DirectedSearch& search, Differential& differential,
           const CampaignOptions& options)
      : graph_(graph), search_(search), differential_(differential), options_(options) {}

  Expected<CampaignResult> run() {
    while (!is_over()) {
      Expected<std::optional<SearchedInput>> next = search_.next(options_.deadline);
      if (!next && was_interrupted()) break;  // what was found is told all the same
      if (!next) return tl::unexpected(next.error());
      if (!*next) {
        result_.complete = Clock::now() < options_.deadline;
        break;
      }
      const Expected<void> tried = try_input(**next);
      if (!tried && was_interrupted()) break;
      if (!tried) return tl::unexpected(tried.error());
      result_.search = search_.counts();
      if (options_.progress) options_.progress(result_);
    }
    return conclude();
  }

 private:
  bool is_over() const {
    return Clock::now() >= options_.deadline || was_interrupted() ||
           (options_.is_enough && options_.is_enough(result_));
  }

  Expected<void> try_input(const SearchedInput& searched) {
    ++result_.inputs_tried;
    Expected<Differing> differing = differential_.try_input(searched.input);
    if (!differing) return tl::unexpected(differing.error());
    std::vector<uint32_t> failures;
    if (!differing->aspects.empty() || is_worth_guarding(searched.sequence, differing->head)) {
      const Expected<std::vector<uint32_t>> shown = differing->aspects.empty()
                                                        ? look_for_report(searched, &*differing)
                                                        : look_at(searched, &*differing);
      if (!shown) return tl::unexpected(shown.error());
      failures = *shown;
    }
    if (!failures.empty()) ++result_.inputs_failing;
    ++tried_[{searched.sequence, searched.nodes, std::move(failures)}];
    return {};
  }

  // Memory errors often show in nothing but a sanitizer's report. Its programs are slow, so one input of each
  // sequence is asked, as long as that takes a small part of the time.
  bool is_worth_guarding(const Statements& sequence, const Behaviour& head) {
    if (sequence.empty() || head.was_ended() || guarded_for_ * kGuardedPart > Clock::now() - began_)
      return false;
    return guarded_.insert(sequence).second;
  }

  Expected<std::vector<uint32_t>> look_for_report(const SearchedInput& searched, Differing* differing) {
    const Clock::time_point before = Clock::now();
    const Expected<Difference> confirmed = differential_.confirm(differing);
    guarded_for_ += Clock::now() - before;
    if (!confirmed) return tl::unexpected(confirmed.error());
    if (*confirmed != Difference::kError) return std::vector<uint32_t>();
    ++result_.inputs_differing;
    search_.mark_known(searched.sequence);
    std::vector<uint32_t> failures = failures_of(*differing);
    if (!is_wanted(searched.sequence, failures, differing->aspects)) return failures;
    if (const Expected<void> kept = keep(searched, *differing, *confirmed, failures); !kept)
      return tl::unexpected(kept.error());
    return failures;
  }

  // Which failures a differing input shows, and if it is of a kind that has not been seen, keeps it.
  Expected<std::vector<uint32_t>> look_at(const SearchedInput& searched, Differing* differing) {
    ++result_.inputs_differing;
    search_.mark_known(searched.sequence);
    if (const Expected<void> asked = differential_.ask_golden(differing); !asked)
      return tl::unexpected(asked.error());
    std::vector<uint32_t> failures = failures_of(*differing);
    if (!is_wanted(searched.sequence, failures, differing->aspects)) return failures;
    const Expected<Difference> confirmed = differential_.confirm(differing);
    if (!confirmed) return tl::unexpected(confirmed.error());
    if (*confirmed == Difference::kUnstable) ++result_.inputs_unstable;
    if (*confirmed != Difference::kDiffers && *confirmed != Difference::kError)
      return std::vector<uint32_t>();  // a failure is what is seen again
    // What has a name without the guarded forms keeps it, so that it is the same failure each time.
    if (failures.empty() || !options_.golden.empty()) failures = failures_of(*differing);
    if (const Expected<void> kept = keep(searched, *differing, *confirmed, failures); !kept)
      return tl::unexpected(kept.error());
    return failures;
  }

  // By golden version if there are any; else a crash or a sanitizer's report that the base does not show.
  std::vector<uint32_t> failures_of(const Differing& differing) {
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

  uint32_t failure(const std::string& name) {
    const auto found = std::find(result_.failures.begin(), result_.failures.end(), name);
    if (found != result_.failures.end()) return static_cast<uint32_t>(found - result_.failures.begin());
    result_.failures.push_back(name);
    return static_cast<uint32_t>(result_.failures.size() - 1);
  }

  // One input for each way to differ, a few for each sequence.
  bool is_wanted(const Statements& sequence, const std::vector<uint32_t>& failures,
                 const std::vector<Aspect>& aspects) {
    if (result_.kept.size() >= options_.most_kept) return false;
    std::set<Way>& ways = looked_at_[sequence];
    return ways.size() < options_.most_per_sequence && ways.emplace(failures, aspects).second;
  }

  Expected<void> keep(const SearchedInput& searched, const Differing& found, Difference difference,
                      const std::vector<uint32_t>& failures) {
    KeptInput kept{.differing = found,
                   .difference = difference,
                   .judgements = {},
                   .sequence = searched.sequence,
                   .failures = failures,
                   .found_at_execution = search_.counts().executions,
                   .found_at_solver_call = search_.counts().solver.solver_calls,
                   .found_at_cpu = cpu_time_with_children() - began_at_};
    if (const Expected<void> minimised = minimise(&kept); !minimised) return minimised;
    kept.judgements = differential_.judge(kept.differing);
    if (!is_known(kept)) result_.kept.push_back(std::move(kept));
    return {};
  }

  bool is_known(const KeptInput& kept) const {
    return std::any_of(result_.kept.begin(), result_.kept.end(), [&](const KeptInput& other) {
      return other.differing.input == kept.differing.input ||
             (other.sequence == kept.sequence && other.failures == kept.failures &&
              other.differing.aspects == kept.differing.aspects);
    });
  }

  // The smallest input that differs in the same way and shows the same failures. What only the guarded forms
  // show takes them each time, so fewer steps are made.
  Expected<void> minimise(KeptInput* kept) {
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

  // In the same respects, but for a report that only the guarded forms give.
  static bool is_same_way(const Differing& a, const Differing& b) {
    const auto without_report = [](std::vector<Aspect> aspects) {
      std::erase(aspects, Aspect::kReport);
      return aspects;
    };
    return a.aspects == b.aspects ||
           (!a.aspects.empty() && without_report(a.aspects) == without_report(b.aspects));
  }

  std::vector<StatementIndex> changes_not_executed() const {
    std::set<StatementIndex> executed;
    for (const auto& [what, inputs] : tried_)
      executed.insert(std::get<0>(what).begin(), std::get<0>(what).end());
    std::vector<StatementIndex> missing;
    for (const ChangeNode& node : graph_.graph.nodes)
      if (node.kind == ChangeNode::Kind::kChange && node.is_reached && !executed.contains(node.statement))
        missing.push_back(node.statement);
    return missing;
  }

  CampaignResult conclude() {
    std::vector<TriedInput> tried;
    for (const auto& [what, inputs] : tried_)
      tried.push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), inputs});
    result_.interaction_errors = find_interaction_errors(graph_.graph, tried);
    for (const TriedInput& input : tried) {
      const bool is_on = std::any_of(result_.interaction_errors.begin(), result_.interaction_errors.end(),
                                     [&](const InteractionError& error) {
                                       return common_sequence(error.critical, input.sequence).size() ==
                                              error.critical.size();
                                     });
      if (!is_on) continue;
      result_.on_critical_sequences += input.inputs;
      if (!input.failures.empty()) result_.failing_on_critical_sequences += input.inputs;
    }
    result_.search = search_.counts();
    result_.not_executed = changes_not_executed();
    return std::move(result_);
  }

  static bool executes(const Statements& sequence, const InteractionError& error) {
    if (error.is_ordered) return common_sequence(error.critical, sequence).size() == error.critical.size();
    return std::all_of(error.critical.begin(), error.critical.end(), [&](StatementIndex statement) {
      return std::find(sequence.begin(), sequence.end(), statement) != sequence.end();
    });
  }

  // Of the time, at most one part in so many is spent on asking the guarded forms about inputs that do not
  // differ.
  static constexpr int kGuardedPart = 5;

  using Way = std::pair<std::vector<uint32_t>, std::vector<Aspect>>;

  const ProgramGraph& graph_;
  DirectedSearch& search_;
  Differential& differential_;
  const CampaignOptions& options_;
  const Clock::time_point began_ = Clock::now();
  Clock::duration guarded_for_{};
  std::set<Statements> guarded_;
  const std::chrono::duration<double> began_at_ = cpu_time_with_children();
  CampaignResult result_;
  std::map<Statements, std::set<Way>> looked_at_;
  // Sequence, nodes, failures: how many inputs.
  std::map<std::tuple<Statements, Statements, std::vector<uint32_t>>, uint32_t> tried_;
};

}  // namespace

Expected<CampaignResult> run_campaign(const ProgramGraph& graph, DirectedSearch& search,
                                      Differential& differential, const CampaignOptions& options) {
  return Campaign(graph, search, differential, options).run();
}

Judgement gravest(const std::vector<Judgement>& judgements) {
  for (const Judgement judgement :
       {Judgement::kRegression, Judgement::kIncompleteFix, Judgement::kError, Judgement::kProgression})
    if (std::find(judgements.begin(), judgements.end(), judgement) != judgements.end()) return judgement;
  return Judgement::kDifference;
}

}  // namespace heddle::interact
