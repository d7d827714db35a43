#include "check/test_selection.h"

#include <time.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "check/both_builds.h"
#include "check/carried_records.h"
#include "check/changed_code.h"
#include "check/compile_flags.h"
#include "check/record_keeper.h"
#include "check/test_inputs.h"
#include "select/structure_store.h"

namespace heddle {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Whether some test was recorded, and one is not among those or is run otherwise.
bool has_other_tests(const std::map<std::string, uint64_t>& commands, const std::vector<KnownTest>& known) {
  std::map<std::string, uint64_t> recorded;
  for (const KnownTest& test : known)
    if (test.is_of_tree) recorded[test.record.key.test] = test.record.key.command;
  return !recorded.empty() && std::any_of(commands.begin(), commands.end(), [&](const auto& command) {
    const auto found = recorded.find(command.first);
    return found == recorded.end() || found->second != command.second;
  });
}

class Pipeline {
 public:
  Pipeline(const Repository& repository, const Project& project, History& history,
           const TestSelectionOptions& options)
      : repository_(repository), project_(project), history_(history), options_(options) {}

  Expected<TestSelection> run(const RevisionPair& revisions) {
    Expected<SourceChange> change = compare_sources(repository_, revisions.base, revisions.head);
    if (!change) return tl::unexpected(change.error());
    result_.change = std::move(*change);
    if (const Expected<void> built = build(revisions); !built) return tl::unexpected(built.error());
    Expected<TestSuite> suite =
        discover_tests(project_, result_.head_build.source, result_.head_build.folder);
    if (!suite) return tl::unexpected(suite.error());
    result_.suite = std::move(*suite);
    const double started = cpu_seconds();
    if (const Expected<void> selected = select(revisions); !selected) return tl::unexpected(selected.error());
    result_.analysis_cpu_seconds = cpu_seconds() - started;
    return std::move(result_);
  }

 private:
  Expected<void> build(const RevisionPair& revisions) {
    Expected<BothBuilds> builds =
        build_both({.store = options_.store, .compilers = options_.compilers, .progress = options_.step},
                   repository_, project_, revisions, WithoutBase::kFails);
    if (!builds) return tl::unexpected(builds.error());
    result_.base_build = std::move(builds->base);
    result_.head_build = std::move(builds->head);
    return {};
  }

  Expected<program::Program> load(const ProjectBuild& build, program::LoadReport& report) {
    if (build.compile_commands.empty())
      return usage_error(fmt::format(
          "the build of {} leaves no compile_commands.json, so heddle cannot compare programs; CMake "
          "writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other build systems with `bear`",
          build.revision.name));
    if (options_.step) options_.step(fmt::format("reading the program of {}", build.revision.name));
    Expected<program::Program> program = program::load_program({.compile_commands = build.compile_commands,
                                                                .source = build.source,
                                                                .cache = options_.store / "facts",
                                                                .known = known_units_},
                                                               &report);
    for (const std::string& unit : report.degraded_units) degraded_.push_back(unit);
    return program;
  }

  std::vector<std::string> tests_gone(const std::vector<KnownTest>& known) const {
    std::vector<std::string> gone;
    for (const KnownTest& test : known)
      if (test.is_of_tree && result_.suite.find(test.record.key.test) == nullptr)
        gone.push_back(test.record.key.test);
    return gone;
  }

  Expected<void> select(const RevisionPair& revisions) {
    const Expected<std::map<std::string, std::string>> flags =
        changed_compile_flags(result_.base_build, result_.head_build);
    if (!flags) return tl::unexpected(flags.error());
    std::vector<std::string> inputs;
    for (const std::string& file : result_.change.opaque)
      if (may_be_read_by_tests(file)) inputs.push_back(file);
    Expected<std::vector<KnownTest>> known = history_.records().load_all(revisions.base.content);
    if (!known) return tl::unexpected(known.error());
    result_.carried_to_base = carry_records(repository_, revisions.base, *known);
    result_.recorded_on_base = static_cast<size_t>(
        std::count_if(known->begin(), known->end(), [](const KnownTest& test) { return test.is_of_tree; }));
    std::map<std::string, uint64_t> commands;
    for (const SuiteTest& test : result_.suite.tests)
      commands[test.name] = command_key(test, result_.head_build.source, result_.head_build.folder);
    result_.is_empty_change =
        flags->empty() && inputs.empty() && !result_.change.is_reworded && !has_other_tests(commands, *known);
    if (result_.is_empty_change) {
      for (const SuiteTest& test : result_.suite.tests)
        result_.selection.tests.push_back({.name = test.name});
      result_.gone = tests_gone(*known);
      return {};
    }
    program::LoadReport about_base;
    const Expected<program::Program> base = load(result_.base_build, about_base);
    if (!base) return tl::unexpected(base.error());
    program::LoadReport about_head;
    const Expected<program::Program> head = load(result_.head_build, about_head);
    if (!head) return tl::unexpected(head.error());
    const auto structure = select::known_structure(*base, about_base.content, options_.store / "structures");
    std::vector<std::string> names;
    for (const SuiteTest& test : result_.suite.tests) names.push_back(test.name);
    result_.selection = select::select_tests({.base = *structure,
                                              .head = *head,
                                              .change = result_.change,
                                              .history = *known,
                                              .tests = std::move(names),
                                              .commands = std::move(commands),
                                              .assumed = *flags,
                                              .unknown_inputs = std::move(inputs)},
                                             options_.select);
    result_.gone = tests_gone(*known);
    result_.is_empty_change = flags->empty() && result_.selection.selected == 0 &&
                              result_.selection.impacted_variables == 0 &&
                              result_.change.statements.has_changed_names_only();
    const std::set<std::string> reaching = tests_reaching(result_.change, *flags, *known);
    for (const select::RankedTest& test : result_.selection.tests)
      if (!test.is_selected() && reaching.contains(test.name)) result_.reach_change.push_back(test.name);
    for (const std::string& unit : degraded_)
      result_.selection.assumptions.push_back(fmt::format("not understood: {}", unit));
    return {};
  }

  const Repository& repository_;
  const Project& project_;
  History& history_;
  const TestSelectionOptions& options_;
  TestSelection result_;
  std::vector<std::string> degraded_;
  const std::shared_ptr<program::KnownUnits> known_units_ = std::make_shared<program::KnownUnits>();
};

}  // namespace

Expected<TestSelection> select_for_change(const Repository& repository, const Project& project,
                                          const RevisionPair& revisions, History& history,
                                          const TestSelectionOptions& options) {
  return Pipeline(repository, project, history, options).run(revisions);
}

}  // namespace heddle
