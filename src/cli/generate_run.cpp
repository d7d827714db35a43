#include "cli/generate_run.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/project_store.h"
#include "confirm/reference.h"
#include "execute/fork_server.h"
#include "execute/runtime_location.h"
#include "generate/plan_text.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace fs = std::filesystem;
namespace {

using generate::CallPlan;
using generate::FoundFailure;
using generate::Generator;
using generate::GeneratorResult;
using generate::GeneratorStatus;

constexpr size_t kMostPairsShown = 12;

// Of the budget, for executing the tests that are written.
std::chrono::milliseconds time_for_tests(std::chrono::milliseconds budget) {
  return std::min<std::chrono::milliseconds>(budget / 4, std::chrono::seconds(20));
}

std::string status_text(const GeneratorStatus& status) {
  return fmt::format("{} executed, {} tests under {} schedules, {} of {} covered, {}",
                     count_of(status.search.sequences, "sequence"), status.tests, status.executions,
                     status.requirements.covered, count_of(status.requirements.found, "requirement"),
                     count_of(status.failures, "failure"));
}

Expected<void> write_plan(const fs::path& file, const std::string& text) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::ofstream out(file, std::ios::trunc);
  if (!(out << text).flush()) return usage_error(fmt::format("cannot write {}", file.string()));
  return {};
}

nlohmann::ordered_json to_json(const generate::Requirements::Counts& counts) {
  return {
      {"found", counts.found}, {"feasible", counts.found - counts.infeasible}, {"covered", counts.covered}};
}

}  // namespace

Expected<generate::TestWriter::Options> test_writer_options(const generate::ClassSources& sources,
                                                            const fs::path& folder) {
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  return generate::TestWriter::Options{.sources = sources,
                                       .folder = folder,
                                       .compilers = own_folder(),
                                       .includes = own_includes(),
                                       .runtime = *runtime,
                                       .step = {}};
}

void GenerateRun::on_progress(const GeneratorStatus& status) {
  progress_.update([&] { return status_text(status); });
}

// The schedule with the driver and its plan as the command, executed once. Wrong results are known again by
// what the driver prints.
Expected<GenerateRun::Replayable> GenerateRun::make_replayable(const FoundFailure& found,
                                                               const std::string& fingerprint) const {
  const fs::path plan = options_.folder / "plans" / (fingerprint + ".plan");
  if (const Expected<void> saved = write_plan(plan, plan_text(found.failure.plan, driver_.operations));
      !saved)
    return tl::unexpected(saved.error());
  trace::Schedule schedule = found.failure.schedule;
  schedule.command = {driver_.program.string(), "--plan", plan.string(), "--explain"};
  schedule.directory.clear();
  schedule.failure = found.failure.kind;
  Expected<ForkServer> server =
      ForkServer::start({.argv = schedule.command, .directory = {}, .environment = {}});
  if (!server) return tl::unexpected(server.error());
  ExecutionRequest request;
  server->add_points(schedule.points);
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = schedule.detects_races ? trace::request_flag::kDetectRaces : 0;
  request.max_steps = schedule.max_steps;
  const Expected<Execution> execution = server->run(request);
  if (!execution) return tl::unexpected(execution.error());
  const bool is_about_results = found.failure.kind == trace::OutcomeKind::kAtomicity;
  // Wrong results of an execution with a race: the replay ends with that.
  const bool is_right_end = is_about_results ? execution->outcome.kind == found.failure.execution.outcome.kind
                                             : execution->outcome.kind == found.failure.kind;
  if (is_about_results && !execution->failed()) schedule.output = output_hash(*execution);
  return Replayable{std::move(schedule), is_right_end && execution->outcome.diverged_step == 0};
}

Expected<bool> GenerateRun::on_failure(const FoundFailure& found) {
  progress_.clear();
  if (options_.is_known) {
    const Expected<bool> known = options_.is_known(found);
    if (!known) return tl::unexpected(known.error());
    if (*known) {
      ++known_;
      return false;
    }
  }
  const generate::TestFailure& failure = found.failure;
  ReportContext context(failure.execution.trace, report_.symbolizer(), report_.directory());
  const generate::FailureReport teller(driver_.model, driver_.operations);
  FailureStory story = teller.tell(context, failure);
  const std::optional<std::string> fingerprint = report_.news(context, story, failure.kind);
  if (!fingerprint) return false;
  const Expected<Replayable> replayable = make_replayable(found, *fingerprint);
  if (!replayable) return tl::unexpected(replayable.error());
  // A finding without its test is told all the same.
  const Expected<void> written = writer_.add_failing(failure, *fingerprint, teller.remarks(context, story));
  std::vector<std::string> notes;
  if (!replayable->shows_the_same) notes.push_back("its schedule did not show it a second time");
  notes.push_back(written ? fmt::format("test: {}", context.path(writer_.written().back().file.string()))
                          : fmt::format("its test is not written: {}", written.error().message));
  const Expected<void> told = report_.tell(context, std::move(story),
                                           {.kind = failure.kind,
                                            .confirmation = Confirmation::kExecuted,
                                            .notes = notes,
                                            .schedule = &replayable->schedule,
                                            .executions = found.executions});
  if (!told) return tl::unexpected(told.error());
  return true;
}

Expected<void> GenerateRun::write_tests(const GeneratorResult& generated) {
  if (const Expected<void> added = writer_.add_passing(generated.suite); !added) return added;
  if (writer_.written().empty()) {
    say("no test was written: nothing was covered");
    return {};
  }
  const Expected<std::string> unchecked = writer_.check(time_for_tests(options_.budget));
  progress_.clear();
  if (!unchecked) return tl::unexpected(unchecked.error());
  if (!unchecked->empty())
    say(fmt::format("the tests are written, but not all were checked: {}", *unchecked));
  return {};
}

void GenerateRun::say_coverage(const generate::Requirements& requirements) const {
  const generate::Requirements::Counts counts = requirements.counts();
  say(fmt::format("interleaving requirements: {} found, {} feasible, {} covered", counts.found,
                  counts.found - counts.infeasible, counts.covered));
  size_t shown = 0;
  const std::map<std::string, generate::Requirements::Counts> pairs = requirements.by_methods();
  for (const auto& [methods, of_pair] : pairs) {
    if (shown++ == kMostPairsShown) {
      say(fmt::format("  … of {} in all (--json lists them)", count_of(pairs.size(), "combination")));
      break;
    }
    say(fmt::format("  {}: {} found, {} feasible, {} covered", methods, of_pair.found,
                    of_pair.found - of_pair.infeasible, of_pair.covered));
  }
}

void GenerateRun::say_unusable() const {
  for (const generate::Unusable& unusable : unusable_) {
    say(fmt::format("not called: {}: {}{}", unusable.signature, unusable.reason,
                    unusable.help.empty() ? "" : fmt::format(" ({})", unusable.help)));
  }
}

// A bug in what these give would not be seen.
void GenerateRun::say_opaque(const std::set<uint32_t>& methods) const {
  std::vector<std::string> names;
  for (const uint32_t method : methods) names.push_back(driver_.model.methods[method].name + "()");
  if (names.empty()) return;
  say(fmt::format(
      "what {} gives cannot be compared, since nothing says how to write it as a text: specialise "
      "heddle::TextOf for its type in a header that a --pools file includes",
      join_words(names)));
}

RunResult GenerateRun::result(const GeneratorResult& generated,
                              const generate::Requirements& requirements) const {
  RunResult result;
  result.command = "generate";
  result.seconds = report_.seconds();
  result.executions = generated.status.executions;
  result.complete = generated.complete;
  result.findings = report_.findings();
  result.own["class"] = driver_.model.name;
  const std::vector<generate::WrittenTest> tests = writer_.written();
  result.own["tests_written"] = tests.size();
  result.own["tests"] = nlohmann::ordered_json::array();
  for (const generate::WrittenTest& test : tests) {
    result.own["tests"].push_back(
        {{"name", test.name},
         {"file", test.file.string()},
         {"finding", test.fingerprint.empty() ? nlohmann::ordered_json(nullptr)
                                              : nlohmann::ordered_json(test.fingerprint)},
         {"checked", test.is_checked}});
  }
  result.own["requirements"] = to_json(requirements.counts());
  result.own["method_pairs"] = nlohmann::ordered_json::array();
  for (const auto& [methods, counts] : requirements.by_methods()) {
    nlohmann::ordered_json pair = {{"methods", methods}};
    pair.update(to_json(counts));
    result.own["method_pairs"].push_back(std::move(pair));
  }
  result.own["sequences"] = generated.status.search.sequences;
  result.own["tests_tried"] = generated.status.tests;
  result.own["known"] = known_;
  result.own["suppressed"] = report_.suppressed();
  result.own["not_called"] = nlohmann::ordered_json::array();
  for (const generate::Unusable& unusable : unusable_)
    result.own["not_called"].push_back(
        {{"call", unusable.signature}, {"reason", unusable.reason}, {"help", unusable.help}});
  return result;
}

Expected<RunResult> GenerateRun::run() {
  std::error_code failed;
  fs::create_directories(options_.folder, failed);
  const Expected<std::unique_ptr<generate::DriverSession>> session = generate::DriverSession::start(
      {.program = driver_.program, .plan_file = options_.folder / "plan"}, report_.symbolizer());
  if (!session) return tl::unexpected(session.error());
  Generator generator(**session, driver_.model, driver_.operations, report_.symbolizer(),
                      {.budget = options_.budget - time_for_tests(options_.budget),
                       .seed = options_.seed,
                       .threads = options_.threads,
                       .most_failures = options_.most_failures},
                      *this);
  const Expected<GeneratorResult> generated = generator.run();
  progress_.clear();
  if (!generated) return tl::unexpected(generated.error());
  unusable_ = driver_.unusable;
  const std::vector<generate::Unusable> ended_badly = generator.unusable();
  unusable_.insert(unusable_.end(), ended_badly.begin(), ended_badly.end());
  say_unusable();
  say_opaque(generator.opaque_methods());
  if (!was_interrupted())
    if (const Expected<void> written = write_tests(*generated); !written)
      return tl::unexpected(written.error());
  say_coverage(generator.requirements());
  say(status_text(generated->status) + (generated->complete ? "; the search has come to its end" : ""));
  if (known_ > 0) say(fmt::format("{} that the base has, too", count_of(known_, "failure")));
  return result(*generated, generator.requirements());
}

}  // namespace heddle
