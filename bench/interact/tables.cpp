#include "tables.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/median.h"
#include "common/table.h"

namespace heddle::bench {
namespace {

using interact::Guide;
using interact::Tier;

constexpr double kMostSeconds = 300;  // for one error
constexpr double kMostOfBoth = 60;
constexpr double kSlowWithout = 5;
constexpr double kFewer = 3;     // executions and solver calls than the baseline
constexpr double kLikelier = 3;  // to fail, on critical sequences

// A way to look for errors.
using Method = std::pair<Tier, Guide>;

std::string name_of(const Method& method) {
  return fmt::format("{}, {}", bench::name_of(method.first), bench::name_of(method.second));
}

Method method_of(const CampaignFigures& campaign) {
  return {campaign.tier, campaign.guide};
}

std::vector<Method> methods_of(const std::vector<SubjectFigures>& figures) {
  std::vector<Method> methods;
  for (const SubjectFigures& subject : figures)
    for (const CampaignFigures& campaign : subject.campaigns)
      if (std::ranges::find(methods, method_of(campaign)) == methods.end())
        methods.push_back(method_of(campaign));
  std::ranges::sort(methods);
  return methods;
}

// An error by one method: what the seeds that found it took.
struct ErrorRow {
  size_t seeds = 0;
  std::vector<Found> found;

  template <typename Value>
  std::string median_of(Value Found::* value) const {
    if (found.empty()) return "-";
    std::vector<Value> values;
    for (const Found& one : found) values.push_back(one.*value);
    if constexpr (std::is_floating_point_v<Value>) return fmt::format("{:.2f}", median(values));
    return fmt::format("{}", median(values));
  }
};

ErrorRow row_of(const SubjectFigures& subject, size_t error, const Method& method) {
  ErrorRow row;
  for (const CampaignFigures& campaign : subject.campaigns) {
    if (method_of(campaign) != method) continue;
    ++row.seeds;
    if (campaign.errors[error]) row.found.push_back(*campaign.errors[error]);
  }
  return row;
}

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// How much likelier a test on a critical sequence is to fail than another one.
struct Likelihood {
  uint64_t on = 0, failing_on = 0, off = 0, failing_off = 0;

  void add(const CampaignFigures& campaign) {
    on += campaign.on_critical;
    failing_on += campaign.failing_on_critical;
    off += campaign.tried - campaign.on_critical;
    failing_off += campaign.failing - campaign.failing_on_critical;
  }
};

// The tier that bars about guides are of: both, or what was measured instead.
Tier tier_of_bars(const std::vector<SubjectFigures>& figures) {
  const std::vector<Method> methods = methods_of(figures);
  return methods.empty() ? Tier::kBoth : methods.back().first;
}

Bar interaction_bar(const std::vector<SubjectFigures>& figures) {
  const Tier tier = tier_of_bars(figures);
  size_t all = 0, found = 0;
  std::vector<std::string> missing;
  for (const SubjectFigures& subject : figures) {
    for (size_t e = 0; e < subject.subject.errors.size(); ++e) {
      if (!subject.subject.errors[e].is_interaction) continue;
      const ErrorRow row = row_of(subject, e, {tier, Guide::kGraph});
      const auto in_time =
          std::ranges::count_if(row.found, [](const Found& one) { return one.cpu_seconds <= kMostSeconds; });
      ++all;
      if (row.seeds > 0 && in_time * 3 >= static_cast<int64_t>(2 * row.seeds)) {
        ++found;
      } else {
        missing.push_back(subject.subject.errors[e].name);
      }
    }
  }
  std::string figure = fmt::format("{} of {}", found, all);
  if (!missing.empty()) figure += fmt::format("; not {}", fmt::join(missing, ", "));
  return {"csg finds every interaction error within 5 minutes, in 2 of 3 seeds", figure,
          all == 0       ? Verdict::kNotMeasured
          : found == all ? Verdict::kMet
                         : Verdict::kNotMet};
}

// Against the paper's baseline: more errors, or the same with fewer executions and solver calls. Where one of
// the two has not found an error, what it has spent stands for it: it would have taken more.
Bar baseline_bar(const std::vector<SubjectFigures>& figures) {
  const Tier tier = tier_of_bars(figures);
  size_t with_graph = 0, isolated = 0;
  std::vector<double> executions, solver_calls;
  for (const SubjectFigures& subject : figures) {
    for (const CampaignFigures& graph : subject.campaigns) {
      if (method_of(graph) != Method{tier, Guide::kGraph}) continue;
      for (const CampaignFigures& other : subject.campaigns) {
        if (method_of(other) != Method{tier, Guide::kIsolated} || other.seed != graph.seed) continue;
        for (size_t e = 0; e < graph.errors.size(); ++e) {
          with_graph += graph.errors[e].has_value();
          isolated += other.errors[e].has_value();
          if (!graph.errors[e]) continue;
          const Found theirs = other.errors[e].value_or(Found{0, other.executions, other.solver_calls});
          executions.push_back(static_cast<double>(theirs.executions) /
                               static_cast<double>(std::max<uint64_t>(graph.errors[e]->executions, 1)));
          solver_calls.push_back(static_cast<double>(theirs.solver_calls) /
                                 static_cast<double>(std::max<uint64_t>(graph.errors[e]->solver_calls, 1)));
        }
      }
    }
  }
  if (executions.empty())
    return {"csg finds more errors than isolated, or as many with 3 times fewer executions and solver calls",
            "", Verdict::kNotMeasured};
  const bool met = with_graph > isolated ||
                   (with_graph == isolated && median(executions) >= kFewer && median(solver_calls) >= kFewer);
  return {"csg finds more errors than isolated, or as many with 3 times fewer executions and solver calls",
          fmt::format(
              "{} against {} over all seeds; {:.1f} times fewer executions, {:.1f} times fewer solver calls "
              "in the median",
              with_graph, isolated, median(executions), median(solver_calls)),
          met ? Verdict::kMet : Verdict::kNotMet};
}

Bar likelihood_bar(const std::vector<SubjectFigures>& figures) {
  const Tier tier = tier_of_bars(figures);
  Likelihood all;
  for (const SubjectFigures& subject : figures)
    for (const CampaignFigures& campaign : subject.campaigns)
      if (method_of(campaign) == Method{tier, Guide::kGraph}) all.add(campaign);
  const double on = share(all.failing_on, all.on), off = share(all.failing_off, all.off);
  return {"tests on critical sequences are 3 times likelier to show an error",
          fmt::format("{:.1f}% of {} on them, {:.1f}% of {} others", 100 * on, all.on, 100 * off, all.off),
          all.on == 0             ? Verdict::kNotMeasured
          : on >= kLikelier * off ? Verdict::kMet
                                  : Verdict::kNotMet};
}

// Each error in each seed.
Bar every_seed_bar(const std::vector<SubjectFigures>& figures) {
  size_t all = 0, found = 0;
  std::vector<std::string> missing;
  for (const SubjectFigures& subject : figures) {
    for (size_t e = 0; e < subject.subject.errors.size(); ++e) {
      const ErrorRow row = row_of(subject, e, {Tier::kBoth, Guide::kGraph});
      const auto in_time = static_cast<size_t>(
          std::ranges::count_if(row.found, [](const Found& one) { return one.cpu_seconds <= kMostOfBoth; }));
      all += row.seeds;
      found += in_time;
      if (in_time < row.seeds)
        missing.push_back(fmt::format("{} {} of {}", subject.subject.errors[e].name, in_time, row.seeds));
    }
  }
  std::string figure = fmt::format("{} of {}", found, all);
  if (!missing.empty()) figure += fmt::format("; {}", fmt::join(missing, ", "));
  return {"both tiers with csg find every error in every seed within 60 CPU s", figure,
          all == 0       ? Verdict::kNotMeasured
          : found == all ? Verdict::kMet
                         : Verdict::kNotMet};
}

// What an error took in the median; one that was not found took all that was spent at least.
double median_time(const SubjectFigures& subject, size_t error, const Method& method) {
  std::vector<double> times;
  for (const CampaignFigures& campaign : subject.campaigns)
    if (method_of(campaign) == method)
      times.push_back(campaign.errors[error] ? campaign.errors[error]->cpu_seconds : campaign.cpu_seconds);
  return times.empty() ? 0 : median(times);
}

Bar direction_bar(const std::vector<SubjectFigures>& figures) {
  std::vector<double> with_graph, without;
  for (const SubjectFigures& subject : figures) {
    for (size_t e = 0; e < subject.subject.errors.size(); ++e) {
      const double undirected = median_time(subject, e, {Tier::kBoth, Guide::kUndirected});
      const double directed = median_time(subject, e, {Tier::kBoth, Guide::kGraph});
      if (undirected <= kSlowWithout || directed == 0) continue;
      without.push_back(undirected);
      with_graph.push_back(directed);
    }
  }
  const std::string claim = fmt::format(
      "csg takes a third of the time of none, on errors that take none over {} CPU s", kSlowWithout);
  if (without.empty()) return {claim, "no error takes that long", Verdict::kNotMeasured};
  return {claim,
          fmt::format("{:.2f} against {:.2f} CPU s in the median of {} errors", median(with_graph),
                      median(without), without.size()),
          median(with_graph) * kFewer <= median(without) ? Verdict::kMet : Verdict::kNotMet};
}

Bar false_difference_bar(const std::vector<SubjectFigures>& figures) {
  uint64_t tried = 0, executed = 0, differing = 0, candidates = 0;
  for (const SubjectFigures& subject : figures) {
    tried += subject.tried_against_itself;
    executed += subject.executed_against_itself;
    candidates += subject.candidates_against_itself;
    differing += subject.false_differences;
  }
  return {"no false difference: the base against itself",
          fmt::format("{} in {} inputs of the search and {} executions of the fast tier ({} before they were "
                      "run again)",
                      differing, tried, executed, candidates),
          tried == 0       ? Verdict::kNotMeasured
          : differing == 0 ? Verdict::kMet
                           : Verdict::kNotMet};
}

}  // namespace

std::string print_subjects(const std::vector<SubjectFigures>& figures, bool markdown) {
  Table table({"subject", "lines", "changes", "interaction locations", "outputs", "edges", "errors",
               "interaction errors"});
  for (const SubjectFigures& subject : figures) {
    const auto interactions = std::ranges::count_if(
        subject.subject.errors, [](const SeededError& error) { return error.is_interaction; });
    table.add({subject.subject.name, std::to_string(subject.lines), std::to_string(subject.changes),
               std::to_string(subject.interactions), std::to_string(subject.outputs),
               std::to_string(subject.edges), std::to_string(subject.subject.errors.size()),
               std::to_string(interactions)});
  }
  return table.print(markdown);
}

std::string print_errors(const std::vector<SubjectFigures>& figures, bool markdown) {
  const std::vector<Method> methods = methods_of(figures);
  std::vector<std::string> headings{"subject", "error", "kind", "needs"};
  for (const Method& method : methods) {
    headings.push_back(fmt::format("{}: found", name_of(method)));
    headings.emplace_back("CPU s");
    headings.emplace_back("executions");
    headings.emplace_back("solver calls");
  }
  Table table(headings);
  for (const SubjectFigures& subject : figures) {
    for (size_t e = 0; e < subject.subject.errors.size(); ++e) {
      const SeededError& error = subject.subject.errors[e];
      std::vector<std::string> cells{subject.subject.name, error.name,
                                     error.is_interaction ? "interaction" : "single", error.needs};
      for (const Method& method : methods) {
        const ErrorRow row = row_of(subject, e, method);
        cells.push_back(fmt::format("{} of {}", row.found.size(), row.seeds));
        cells.push_back(row.median_of(&Found::cpu_seconds));
        cells.push_back(row.median_of(&Found::executions));
        cells.push_back(row.median_of(&Found::solver_calls));
      }
      table.add(cells);
    }
  }
  return table.print(markdown);
}

std::string print_inputs(const std::vector<SubjectFigures>& figures, bool markdown) {
  Table table({"subject", "tier, guide", "CPU s", "inputs", "as predicted", "differ", "fail",
               "on critical sequences", "of these fail", "of others fail", "interaction errors named",
               "edges reached"});
  for (const SubjectFigures& subject : figures) {
    for (const Method& method : methods_of(figures)) {
      CampaignFigures sum;
      Likelihood likelihood;
      size_t named = 0, edges = 0;
      for (const CampaignFigures& campaign : subject.campaigns) {
        if (method_of(campaign) != method) continue;
        sum.cpu_seconds += campaign.cpu_seconds;
        sum.tried += campaign.tried;
        sum.differing += campaign.differing;
        sum.failing += campaign.failing;
        sum.predicted += campaign.predicted;
        sum.elsewhere += campaign.elsewhere;
        likelihood.add(campaign);
        named = std::max(named, campaign.interaction_errors);
        edges = std::max(edges, campaign.reached_edges);
      }
      table.add({subject.subject.name, name_of(method), fmt::format("{:.1f}", sum.cpu_seconds),
                 std::to_string(sum.tried),
                 fmt::format("{:.0f}%", 100 * share(sum.predicted, sum.predicted + sum.elsewhere)),
                 std::to_string(sum.differing), std::to_string(sum.failing),
                 fmt::format("{:.1f}%", 100 * share(likelihood.on, sum.tried)),
                 fmt::format("{:.1f}%", 100 * share(likelihood.failing_on, likelihood.on)),
                 fmt::format("{:.1f}%", 100 * share(likelihood.failing_off, likelihood.off)),
                 std::to_string(named), std::to_string(edges)});
    }
  }
  return table.print(markdown);
}

std::vector<Bar> bars(const std::vector<SubjectFigures>& figures) {
  return {every_seed_bar(figures), direction_bar(figures),  interaction_bar(figures),
          baseline_bar(figures),   likelihood_bar(figures), false_difference_bar(figures)};
}

}  // namespace heddle::bench
