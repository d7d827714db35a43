#include "figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "classic.h"
#include "orders.h"

namespace heddle::bench {
namespace {

double percent(double part, double whole) {
  return whole == 0 ? 0 : 100 * part / whole;
}

class ChangeMeasurement {
 public:
  ChangeMeasurement(Workbench& bench, const std::string& change, uint64_t random_orders)
      : bench_(bench), random_orders_(random_orders) {
    figures_.subject = bench.subject().name;
    figures_.change = change;
    figures_.is_main = change == bench.subject().main_change;
  }

  Expected<ChangeFigures> run() {
    const Expected<Revision> head = bench_.repository().change(figures_.change);
    if (!head) return tl::unexpected(head.error());
    if (const Expected<void> executed = execute(); !executed) return tl::unexpected(executed.error());
    if (const Expected<void> selected = select(*head); !selected) return tl::unexpected(selected.error());
    if (const Expected<void> ordered = order(); !ordered) return tl::unexpected(ordered.error());
    const Expected<double> testing = bench_.testing_time(*head, figures_.change);
    if (!testing) return tl::unexpected(testing.error());
    figures_.testing_cpu_seconds = *testing;
    return std::move(figures_);
  }

 private:
  Expected<void> execute() {
    Expected<TestOutcomes> outcomes = execute_change(bench_, figures_.change);
    if (!outcomes) return tl::unexpected(outcomes.error());
    outcomes_ = std::move(*outcomes);
    races_ = bench_.regressions(outcomes_);
    std::set<std::string> functions;
    for (const Race& race : races_) functions.insert(race.functions());
    figures_.function_pairs = functions.size();
    for (const auto& [name, outcome] : outcomes_)
      if (!outcome.trouble.empty()) figures_.troubles.push_back(name + ": " + outcome.trouble);
    return {};
  }

  // The ablation first: it fills the cache, and nobody asks how long it takes.
  Expected<void> select(const Revision& head) {
    bench_.say(fmt::format("selecting tests for {}", figures_.change));
    const Expected<TestSelection> ablation = bench_.select(head, {.by_thread = false});
    if (!ablation) return tl::unexpected(ablation.error());
    Expected<TestSelection> selected = bench_.select(head, {});
    if (!selected) return tl::unexpected(selected.error());
    selection_ = std::move(*selected);
    figures_.analysis_cpu_seconds = selection_.analysis_cpu_seconds;
    for (const select::RankedTest& test : selection_.selection.tests) all_.push_back(test.name);
    selected_ = names_of_selected(selection_);
    const Expected<program::Program> base = bench_.base_program();
    if (!base) return tl::unexpected(base.error());
    Expected<std::vector<KnownTest>> records = bench_.records();
    if (!records) return tl::unexpected(records.error());
    records_ = std::move(*records);
    figures_.all = figures_of(all_);
    figures_.classic = figures_of(classic_selection(*base, selection_.change, records_, all_));
    figures_.heddle = figures_of(selected_);
    figures_.without_threads = figures_of(names_of_selected(*ablation));
    figures_.missed = missed_races(races_, outcomes_, {selected_.begin(), selected_.end()});
    return {};
  }

  Expected<void> order() {
    constexpr uint64_t kSeed = 1;  // as heddle's own order has it
    const auto measure = [&](const TestOrder& order, ApfdFigures& apfd) {
      apfd.heddle = apfd_of(order, outcomes_, races_);
      apfd.blocks = apfd_of(additional_block_order(order, records_, kSeed), outcomes_, races_);
      apfd.random = mean_random_apfd(order, outcomes_, races_, random_orders_);
    };
    measure(selected_, figures_.selected);
    measure(all_, figures_.suite);
    return {};
  }

  static TestOrder names_of_selected(const TestSelection& selection) {
    TestOrder names;
    for (const select::RankedTest& test : selection.selection.tests)
      if (test.is_selected()) names.push_back(test.name);
    return names;
  }

  MethodFigures figures_of(const TestOrder& tests) const {
    const std::set<std::string> names(tests.begin(), tests.end());
    MethodFigures figures;
    figures.tests = tests.size();
    std::set<uint32_t> pairs;
    for (const select::RankedTest& test : selection_.selection.tests)
      if (names.contains(test.name)) pairs.insert(test.covered.begin(), test.covered.end());
    figures.pairs = pairs.size();
    std::set<Race> races;
    for (const std::string& name : tests) {
      const auto outcome = outcomes_.find(name);
      if (outcome == outcomes_.end()) continue;
      figures.cpu_seconds += outcome->second.cpu_seconds;
      std::set<Race> revealed;
      std::ranges::set_intersection(outcome->second.races, races_, std::inserter(revealed, revealed.end()));
      figures.racy_tests += revealed.empty() ? 0 : 1;
      races.merge(revealed);
    }
    figures.races = races.size();
    return figures;
  }

  Workbench& bench_;
  const uint64_t random_orders_;
  ChangeFigures figures_;
  TestOutcomes outcomes_;  // of the head
  std::set<Race> races_;   // regressions
  TestSelection selection_;
  std::vector<KnownTest> records_;
  TestOrder all_;  // in heddle's order
  TestOrder selected_;
};

}  // namespace

std::vector<MissedRace> missed_races(const std::set<Race>& races, const TestOutcomes& outcomes,
                                     const std::set<std::string>& selected) {
  std::vector<MissedRace> all_missed;
  for (const Race& race : races) {
    MissedRace missed{race, {}};
    bool is_revealed = false;
    for (const auto& [name, outcome] : outcomes) {
      if (!outcome.races.contains(race)) continue;
      missed.tests.push_back(name);
      is_revealed |= selected.contains(name);
    }
    if (!is_revealed) all_missed.push_back(std::move(missed));
  }
  return all_missed;
}

double ChangeFigures::share() const {
  return percent(static_cast<double>(heddle.tests), static_cast<double>(all.tests));
}

double ChangeFigures::analysis_share() const {
  return percent(analysis_cpu_seconds, testing_cpu_seconds);
}

double ChangeFigures::analysis_share_of_few_schedules() const {
  return percent(analysis_cpu_seconds, all.cpu_seconds);
}

double ChangeFigures::analysis_share_of_selected() const {
  return percent(analysis_cpu_seconds, heddle.cpu_seconds);
}

Expected<TestOutcomes> execute_change(Workbench& bench, const std::string& change) {
  const Expected<Revision> head = bench.repository().change(change);
  if (!head) return tl::unexpected(head.error());
  const Expected<ProjectBuild> build = bench.build(*head);
  if (!build) return tl::unexpected(build.error());
  const Expected<TestSuite> suite = bench.tests_of(*build);
  if (!suite) return tl::unexpected(suite.error());
  return bench.execute(*build, *suite, nullptr, change);
}

Expected<ChangeFigures> measure_change(Workbench& bench, const std::string& change, uint64_t random_orders) {
  return ChangeMeasurement(bench, change, random_orders).run();
}

}  // namespace heddle::bench
