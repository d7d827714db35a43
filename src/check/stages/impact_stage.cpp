#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "check/compared_test.h"
#include "check/regression_search.h"
#include "check/stages/compared_tests.h"
#include "check/stages/finding_collector.h"
#include "check/stages/stage_memory.h"
#include "check/stages/stages.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;

// Executions of a test that are compared with the base's. More show more of the test, and each costs what
// prediction costs.
constexpr uint32_t kSchedules = 3;

// What came of one test.
struct ImpactCounts {
  uint64_t schedules = 0;
  uint64_t accesses = 0;
  uint64_t impacted = 0;
  uint64_t explored = 0;
  uint64_t executions = 0;
  uint64_t not_tried = 0;
  bool has_time = true;
  nlohmann::json lines = nlohmann::json::array();  // of impacted events: file and line
};

void note_lines(TestImpact& found, nlohmann::json* lines) {
  TraceSymbols& symbols = *found.head.symbols;
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const ImpactedEvent& impacted : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[impacted.event];
    if (!seen.emplace(event.site, event.context).second) continue;
    const Frame& place = symbols.line_of_interest(event.site, event.context);
    if (place.line == 0) continue;
    nlohmann::json line = {place.file, place.line};
    if (std::find(lines->begin(), lines->end(), line) == lines->end()) lines->push_back(std::move(line));
  }
}

void add_lines(const nlohmann::json& lines, PreferredLines* preferred) {
  for (const nlohmann::json& line : lines)
    if (line.is_array() && line.size() == 2) preferred->add(line[0], line[1]);
}

class ImpactStage final : public Stage {
 public:
  std::string name() const override { return "impact"; }
  double weight() const override { return 4; }
  std::string idle(const CheckState& state) const override { return why_not_compared(state); }

  Expected<void> run(CheckState& state, Deadline deadline, StageReport* report) override {
    const Expected<const ChangeImpact*> change = state.change_impact();
    if (!change) return tl::unexpected(change.error());
    report->own["tests"] = nlohmann::ordered_json::array();
    const std::vector<const Comparison::Chosen*> tests = tests_that_matter(state);
    StageMemory memory(state, this->name(), kSchedules);
    for (size_t i = 0; i < tests.size() && !was_interrupted(); ++i) {
      const std::string& name = tests[i]->test->name;
      nlohmann::json lines;
      if (memory.recall(name, tests[i]->test, &lines)) {
        add_lines(lines, &state.impacted[name]);
        ++report->reused;
        continue;
      }
      const Clock::time_point now = Clock::now();
      if (now >= deadline) {
        report->not_reached.push_back(name);
        continue;
      }
      if (state.listener.build)
        state.listener.build(
            fmt::format("test {} of {}: {}: which interleavings are new", i + 1, tests.size(), name));
      const size_t before = state.result.findings.size();
      FindingCollector collector(state, {name});
      const Deadline until = now + (deadline - now) / static_cast<int64_t>(tests.size() - i);
      const Expected<ImpactCounts> counts = look_into(**change, *tests[i], until, collector);
      if (!counts) {
        if (!was_interrupted()) report->notes.push_back(fmt::format("{}: {}", name, counts.error().message));
        continue;
      }
      state.result.executions += counts->executions;
      report->own["tests"].push_back({{"name", name},
                                      {"schedules", counts->schedules},
                                      {"accesses", counts->accesses},
                                      {"impacted_accesses", counts->impacted},
                                      {"explored", counts->explored},
                                      {"executions", counts->executions}});
      const bool is_complete = counts->not_tried == 0 && counts->has_time;
      if (!is_complete) report->not_reached.push_back(name);
      memory.keep(name, tests[i]->test, before, is_complete, counts->lines);
      add_lines(counts->lines, &state.impacted[name]);
    }
    return {};
  }

 private:
  static Expected<ImpactCounts> look_into(const ChangeImpact& change, const Comparison::Chosen& chosen,
                                          Deadline deadline, FindingCollector& collector) {
    const Expected<std::unique_ptr<ComparedTest>> test = ComparedTest::start(
        change, {.base = chosen.base_test, .head = chosen.test}, kSchedules, collector.symbolizer());
    if (!test) return tl::unexpected(test.error());
    ImpactCounts counts;
    DelayHistory delays;
    while (counts.schedules == 0 || (Clock::now() < deadline && !was_interrupted())) {
      const Expected<std::unique_ptr<TestImpact>> found = (*test)->next(deadline);
      if (!found) return tl::unexpected(found.error());
      if (*found == nullptr) break;
      RegressionSearch search(change.statements(), **found, collector,
                              {.units = kUnits,
                               .deadline = deadline,
                               .prophecies = {},
                               .suspects = {},
                               .delays = &delays,
                               .base_has_elsewhere = [&](const FindingOfBoth& finding) {
                                 return (*test)->base_has(finding, kUnits, (*found)->policy);
                               }});
      if (const Expected<void> done = search.run(); !done) return tl::unexpected(done.error());
      collector.add_known(search.known());
      note_lines(**found, &counts.lines);
      ++counts.schedules;
      counts.accesses += (*found)->impact.accesses;
      counts.impacted += (*found)->impact.impacted_accesses;
      counts.explored += search.explored();
      counts.executions += search.executions();
      counts.not_tried += search.not_tried();
    }
    counts.executions += (*test)->executions();
    counts.has_time = Clock::now() < deadline;
    return counts;
  }
};

}  // namespace

std::unique_ptr<Stage> make_impact_stage() {
  return std::make_unique<ImpactStage>();
}

}  // namespace heddle
