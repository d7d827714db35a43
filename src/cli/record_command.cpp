// `heddle record`: what each test does, for those who choose tests later.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "change/project_build.h"
#include "check/both_builds.h"
#include "check/suite_recording.h"
#include "cli/budget.h"
#include "cli/command_line.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/test_options.h"
#include "report/run_result.h"
#include "report/text.h"
#include "support/interruption.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct RecordCommandOptions {
  std::string tests;
  std::string build;  // the user's own
  std::string head;
  std::string store;
  std::string budget;
  std::string suppressions;
  std::string json;
  bool again = false;
};

// What is recorded: the build, and how it came about.
struct Subject {
  fs::path root;
  Project project;
  RecordKeeper::Build build;
  std::vector<std::string> sources;  // of a build that is the user's own
  std::string name;                  // for people
};

// A folder that the user has built in. The sources are those around the current directory.
Expected<Subject> of_users_build(const std::string& folder) {
  std::error_code failed;
  Subject subject;
  subject.name = folder;
  subject.root = fs::current_path();
  subject.build.folder = fs::canonical(folder, failed);
  if (failed) return usage_error(fmt::format("there is no build in {}: {}", folder, failed.message()));
  if (const Expected<Repository> repository = Repository::open(subject.root)) {
    subject.root = repository->root();
    const Expected<Revision> tree = repository->working_tree();
    Expected<std::vector<std::string>> files = tree ? repository->files(*tree) : std::vector<std::string>();
    if (tree && files) {
      subject.build.tree = tree_of(*tree);
      subject.sources = std::move(*files);
    }
  }
  subject.build.source = subject.root;
  Expected<Project> project = read_project(subject.root);
  if (!project) return tl::unexpected(project.error());
  subject.project = std::move(*project);
  return subject;
}

// A revision, built by heddle.
Expected<Subject> of_revision(const std::string& name, const fs::path& store, const Repository& repository,
                              Progress& progress) {
  Subject subject;
  subject.root = repository.root();
  Expected<Project> project = read_project(subject.root);
  if (!project) return tl::unexpected(project.error());
  subject.project = std::move(*project);
  const Expected<Revision> revision = name.empty() ? repository.working_tree() : repository.resolve(name);
  if (!revision) return tl::unexpected(revision.error());
  const Expected<ProjectBuild> built = build_revision({.store = store,
                                                       .compilers = own_folder(),
                                                       .progress =
                                                           [&](const std::string& step) {
                                                             progress.clear();
                                                             say(step);
                                                           }},
                                                      repository, subject.project, *revision);
  if (!built) return tl::unexpected(built.error());
  subject.name = revision->name;
  subject.build = {.tree = tree_of(*revision),
                   .source = built->source,
                   .folder = built->folder,
                   .home = built->folder.parent_path()};
  return subject;
}

Expected<std::pair<Subject, fs::path>> prepare(const RecordCommandOptions& options, Progress& progress) {
  if (!options.build.empty()) {
    Expected<Subject> subject = of_users_build(options.build);
    if (!subject) return tl::unexpected(subject.error());
    const Expected<fs::path> store = prepare_store(options.store, subject->root);
    if (!store) return tl::unexpected(store.error());
    return std::pair(std::move(*subject), *store);
  }
  const Expected<Repository> repository = Repository::open(fs::current_path());
  if (!repository) return tl::unexpected(repository.error());
  const Expected<fs::path> store = prepare_store(options.store, repository->root());
  if (!store) return tl::unexpected(store.error());
  Expected<Subject> subject = of_revision(options.head, *store, *repository, progress);
  if (!subject) return tl::unexpected(subject.error());
  return std::pair(std::move(*subject), *store);
}

void say_summary(const SuiteRecording& recording, const Subject& subject) {
  for (const RecordedTest& test : recording.tests) {
    if (!test.trouble.empty()) say(fmt::format("{} was not seen to its end: {}", test.name, test.trouble));
    for (const Finding& finding : test.findings)
      say(fmt::format("{} fails: {}: {}", test.name, finding.kind, finding.message));
  }
  for (const UnusableTest& test : recording.unusable)
    say(fmt::format("{} cannot be recorded: {}", test.name, test.why));
  if (recording.sources_are_newer) {
    say(fmt::format(
        "sources have been written since {} was made, so what it was made of is not known; build it again",
        subject.name));
  }
  if (!recording.not_reached.empty()) {
    say(fmt::format("{} not reached, {} first; the next `heddle record` goes on there",
                    count_of(recording.not_reached.size(), "test"), recording.not_reached.front()));
  }
  say(fmt::format("{} of {} recorded, {} up to date",
                  count_of(recording.tests.size() - recording.up_to_date, "test"), subject.name,
                  recording.up_to_date));
}

nlohmann::ordered_json describe(const RecordedTest& test) {
  nlohmann::ordered_json described = {
      {"name", test.name}, {"outcome", test.outcome}, {"up_to_date", test.was_up_to_date}};
  if (!test.message.empty()) described["message"] = test.message;
  return described;
}

RunResult result_of(const SuiteRecording& recording) {
  RunResult told;
  told.command = "record";
  told.executions = recording.executions;
  told.learning_executions = recording.learning_executions;
  told.complete = recording.complete();
  told.own["recorded"] = recording.tests.size() - recording.up_to_date;
  told.own["up_to_date"] = recording.up_to_date;
  told.own["not_reached"] = recording.not_reached;
  told.own["unusable"] = nlohmann::ordered_json::array();
  for (const UnusableTest& test : recording.unusable)
    told.own["unusable"].push_back({{"name", test.name}, {"why", test.why}});
  told.own["tests"] = nlohmann::ordered_json::array();
  for (const RecordedTest& test : recording.tests) {
    told.own["tests"].push_back(describe(test));
    for (const Finding& finding : test.findings) told.findings.emplace_back(finding).tests = {test.name};
  }
  return told;
}

int end_interrupted() {
  say("interrupted");
  return exit_code::kInterrupted;
}

Expected<int> run(const RecordCommandOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  SuiteRecordingOptions recording_options{.tests = options.tests, .again = options.again};
  Expected<std::chrono::milliseconds> budget{};
  if (!options.budget.empty()) budget = parse_budget(options.budget);
  if (!budget) return tl::unexpected(budget.error());
  end_jobs_on_interruption();
  Progress progress;
  Expected<std::pair<Subject, fs::path>> prepared = prepare(options, progress);
  if (!prepared && was_interrupted()) return end_interrupted();
  if (!prepared) return tl::unexpected(prepared.error());
  const auto& [subject, store] = *prepared;
  Expected<History> history = History::open(history_file(store));
  if (!history) return tl::unexpected(history.error());
  if (!history->read_only_reason().empty()) return usage_error(history->read_only_reason());
  recording_options.sources = subject.sources;
  TestOptions reading;
  reading.suppressions = options.suppressions.empty() && !subject.project.suppressions.empty()
                             ? (subject.root / subject.project.suppressions).string()
                             : options.suppressions;
  Expected<Suppressions> suppressions = reading.read_suppressions();
  if (!suppressions) return tl::unexpected(suppressions.error());

  if (!options.budget.empty()) recording_options.deadline = std::chrono::steady_clock::now() + *budget;
  const Expected<SuiteRecording> recording =
      record_tests(subject.project, subject.build, recording_options, *history, *suppressions,
                   [&](size_t number, size_t total, const std::string& name) {
                     progress.update([&] { return fmt::format("test {} of {}: {}", number, total, name); });
                   });
  progress.clear();
  if (!recording && was_interrupted()) return end_interrupted();
  if (!recording) return tl::unexpected(recording.error());
  say_summary(*recording, subject);
  RunResult told = result_of(*recording);
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (!options.json.empty()) {
    const Expected<void> written = write_json(options.json, told);
    if (!written) return tl::unexpected(written.error());
  }
  if (recording->interrupted) return end_interrupted();
  return told.findings.empty() ? exit_code::kClean : exit_code::kFindings;
}

}  // namespace

void add_record_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "record", "remember what each test does: heddle record [--build DIR | --head REV] [TEST-REGEX]");
  auto options = std::make_shared<RecordCommandOptions>();
  command->add_option("TEST-REGEX", options->tests, "only tests with a name that matches");
  CLI::Option* build =
      command->add_option("--build", options->build, "folder of an instrumented build of your own");
  command->add_option("--head", options->head, "revision to build; default: the working tree as it is")
      ->excludes(build);
  command->add_option("--budget", options->budget, "stop after this time, builds not included: 60s, 5m");
  command->add_flag("--again", options->again, "also tests that are up to date");
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  command->add_option("--suppressions", options->suppressions, "file in ThreadSanitizer's syntax");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] { invocation.action = [options] { return run(*options); }; });
}

}  // namespace heddle
