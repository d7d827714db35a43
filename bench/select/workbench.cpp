#include "workbench.h"

#include <fmt/format.h>

#include "check/suite_recording.h"
#include "outcome_store.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

fs::path store_of(const fs::path& folder) {
  return folder / "store";
}

}  // namespace

Workbench::Workbench(Subject subject, WorkOptions options, SubjectRepository repository, History history)
    : subject_(std::move(subject)),
      options_(std::move(options)),
      folder_(options_.work / subject_.name),
      repository_(std::move(repository)),
      history_(std::make_unique<History>(std::move(history))) {}

Expected<Workbench> Workbench::prepare(const Subject& subject, const WorkOptions& options) {
  const fs::path folder = options.work / subject.name;
  Expected<SubjectRepository> repository = SubjectRepository::make(subject, folder / "repository");
  if (!repository) return tl::unexpected(repository.error());
  std::error_code failed;
  fs::create_directories(store_of(folder), failed);
  Expected<History> history = History::open(history_file(store_of(folder)));
  if (!history) return tl::unexpected(history.error());
  Workbench bench(subject, options, std::move(*repository), std::move(*history));
  Expected<Project> project = read_project(bench.repository_.repository().root());
  if (!project) return tl::unexpected(project.error());
  bench.project_ = std::move(*project);
  Expected<Revision> base = bench.repository_.base();
  if (!base) return tl::unexpected(base.error());
  bench.base_ = std::move(*base);
  if (const Expected<void> recorded = bench.record_base(); !recorded) return tl::unexpected(recorded.error());
  return bench;
}

Expected<void> Workbench::record_base() {
  Expected<ProjectBuild> built = build(base_);
  if (!built) return tl::unexpected(built.error());
  base_build_ = std::move(*built);
  Suppressions suppressions = Suppressions::built_in();
  const RecordKeeper::Build recorded{.tree = tree_of(base_),
                                     .source = base_build_.source,
                                     .folder = base_build_.folder,
                                     .home = base_build_.folder.parent_path()};
  say("recording the base");
  const Expected<SuiteRecording> recording =
      record_tests(project_, recorded, {}, *history_, suppressions, {});
  if (!recording) return tl::unexpected(recording.error());
  if (recording->interrupted) return usage_error("interrupted; the next run goes on from here");
  const Expected<TestSuite> suite = tests_of(base_build_);
  if (!suite) return tl::unexpected(suite.error());
  Expected<TestOutcomes> outcomes = execute(base_build_, *suite, nullptr, "base");
  if (!outcomes) return tl::unexpected(outcomes.error());
  base_outcomes_ = std::move(*outcomes);
  for (const auto& [test, outcome] : base_outcomes_)
    for (const Race& race : outcome.races) base_races_.insert(race.functions());
  return {};
}

Expected<std::vector<KnownTest>> Workbench::records() {
  return history_->records().load_all(base_.content);
}

Expected<program::Program> Workbench::base_program() const {
  return program::load_program({.compile_commands = base_build_.compile_commands,
                                .source = base_build_.source,
                                .cache = store_of(folder_) / "facts"});
}

Expected<ProjectBuild> Workbench::build(const Revision& revision, BuildFailure* failure) {
  Builder builder({.store = store_of(folder_),
                   .compilers = options_.compilers,
                   .progress = [this](const std::string& step) { say(step); }});
  return builder.build(repository_.repository(), revision, project_, failure);
}

Expected<TestSuite> Workbench::tests_of(const ProjectBuild& build) const {
  return discover_tests(project_, build.source, build.folder);
}

Expected<TestSelection> Workbench::select(const Revision& head, const select::SelectOptions& options) {
  return select_for_change(
      repository_.repository(), project_, {base_, head}, *history_,
      {.store = store_of(folder_), .compilers = options_.compilers, .step = {}, .select = options});
}

Expected<TestOutcomes> Workbench::execute(const ProjectBuild& build, const TestSuite& suite,
                                          const std::set<std::string>* names, const std::string& name) {
  std::vector<const SuiteTest*> tests;
  for (const SuiteTest& test : suite.tests)
    if (names == nullptr || names->contains(test.name)) tests.push_back(&test);
  const TrialPlan plan{.seeds = options_.seeds, .with_lines = build.revision.content == base_.content};
  return execute(build, tests, plan, name, "tests");
}

Expected<double> Workbench::testing_time(const Revision& revision, const std::string& name) {
  constexpr size_t kOfSo = 10;
  const Expected<ProjectBuild> changed = build(revision);
  if (!changed) return tl::unexpected(changed.error());
  const Expected<TestSuite> suite = tests_of(*changed);
  if (!suite) return tl::unexpected(suite.error());
  std::vector<const SuiteTest*> sample;
  for (size_t i = 0; i < suite->tests.size(); i += kOfSo) sample.push_back(&suite->tests[i]);
  const Expected<TestOutcomes> outcomes =
      execute(*changed, sample, {.seeds = CheckOptions().seeds}, name, "a tenth of the tests,");
  if (!outcomes) return tl::unexpected(outcomes.error());
  double seconds = 0;
  for (const SuiteTest* test : sample) seconds += outcomes->at(test->name).cpu_seconds;
  return seconds * static_cast<double>(suite->tests.size()) / static_cast<double>(sample.size());
}

Expected<TestOutcomes> Workbench::execute(const ProjectBuild& build,
                                          const std::vector<const SuiteTest*>& tests, const TrialPlan& plan,
                                          const std::string& name, const std::string& told) {
  const fs::path file =
      folder_ / "outcomes" / fmt::format("{}-{:016x}-{}.jsonl", name, build.revision.content, plan.seeds);
  bool is_said = false;
  return outcomes_of(build, tests, plan, file, [&](size_t number, size_t total) {
    if (is_said) return;
    say(fmt::format("executing {} {} to {} of {}, {} schedules each", told, number, total, name,
                    plan.seeds + 1));
    is_said = true;
  });
}

std::set<Race> Workbench::regressions(const TestOutcomes& outcomes) const {
  std::set<Race> races;
  for (const auto& [test, outcome] : outcomes)
    for (const Race& race : outcome.races)
      if (!base_races_.contains(race.functions())) races.insert(race);
  return races;
}

std::set<std::string> Workbench::new_failures(const TestOutcome& outcome) const {
  std::set<std::string> failures = outcome.failures;
  if (const auto before = base_outcomes_.find(outcome.test); before != base_outcomes_.end())
    for (const std::string& known : before->second.failures) failures.erase(known);
  return failures;
}

void Workbench::say(const std::string& text) const {
  fmt::print(stderr, "{}: {}\n", subject_.name, text);
}

}  // namespace heddle::bench
