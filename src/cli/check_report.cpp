#include "cli/check_report.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>

#include <fmt/format.h>

#include "check/both_builds.h"
#include "check/source_names.h"
#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/terminal.h"
#include "report/text.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr size_t kToldInFull = 3;
constexpr size_t kMostLines = 40;  // of one list
constexpr size_t kMostTests = 3;   // named in a line

std::string without_folder(std::string text, const fs::path& folder) {
  const std::string prefix = folder.string() + "/";
  for (size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
    text.erase(at, prefix.size());
  return text;
}

void name_by_project(const ProjectBuild& build, TrialFinding* found) {
  SourceNames names(build.source, build.folder);
  name_sites(names, &found->finding);
  for (std::string& line : found->words.lines) line = without_folder(line, build.source);
  found->finding.message = without_folder(found->finding.message, build.source);
  if (!found->words.lines.empty())
    found->finding.message += "; the test says: " + printable(found->words.lines.front());
}

std::string shown_by(const CheckFinding& finding) {
  if (finding.tests.empty()) return finding.found.finding.schedule.empty() ? "a new input" : "a new test";
  const size_t named = std::min(finding.tests.size(), kMostTests);
  std::vector<std::string> tests(finding.tests.begin(),
                                 finding.tests.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < finding.tests.size()) tests.push_back(fmt::format("{} more", finding.tests.size() - named));
  return join_words(tests);
}

// Stories that an engine has told say more than how an execution ended.
void gather_evidence(CheckFinding& finding, Symbolizer& symbolizer, const EvidenceOptions& options) {
  TrialFinding& found = finding.found;
  if (finding.story) {
    ReportContext context(found.execution.trace, symbolizer, options.directory);
    found.finding.evidence =
        std::make_shared<const Evidence>(make_evidence(context, *finding.story, options));
  } else if (found.has_example) {
    add_evidence(&found.finding, found.execution.trace, symbolizer, options);
  }
}

void tell_in_full(const CheckFinding& told, const CheckResult& result) {
  say(fmt::format("{} in {}, shown by {}:", result.base_failure.empty() ? "new" : "found", result.head.name,
                  shown_by(told)));
  render_terminal(std::cerr, told.found.finding, terminal_options(STDERR_FILENO));
  if (!told.found.words.lines.empty()) {
    std::cerr << "\n  What the test says:\n";
    for (const std::string& line : told.found.words.lines) std::cerr << "      " << printable(line) << '\n';
  }
  std::cerr << '\n';
}

void list(const CheckResult& result, FindingStatus status, const std::string& word) {
  size_t count = 0;
  for (const CheckFinding& told : result.findings) {
    const Finding& finding = told.found.finding;
    if (finding.status != status || ++count > kMostLines) continue;
    say(fmt::format("{}: {}: {} ({}; {})", word, finding.kind, printable(finding.message), shown_by(told),
                    finding.fingerprint.substr(0, 8)));
  }
  if (count > kMostLines) say(fmt::format("{}: {} more", word, count - kMostLines));
}

void say_names(const std::vector<std::string>& tests, const std::string& what) {
  if (tests.empty()) return;
  const size_t named = std::min(tests.size(), kMostTests);
  std::vector<std::string> words(tests.begin(), tests.begin() + static_cast<std::ptrdiff_t>(named));
  if (named < tests.size()) words.push_back(fmt::format("{} more", tests.size() - named));
  say(fmt::format("{} {}: {}", count_of(tests.size(), "test"), what, join_words(words)));
}

void say_limits(const CheckResult& result) {
  std::vector<std::string> cut;
  for (const CheckedTest& test : result.tests) {
    if (!test.trouble.empty()) say(fmt::format("{} was not seen to its end: {}", test.name, test.trouble));
    if (!test.complete && test.trouble.empty()) cut.push_back(test.name);
  }
  for (const UnusableTest& test : result.unusable)
    say(fmt::format("{} cannot be tried: {}", test.name, test.why));
  if (!result.not_kept.empty()) say("what was tried is not remembered: " + result.not_kept);
  say_names(cut, "not tried under all schedules");
  say_names(result.not_reached, "not reached for lack of time");
  say_names(result.gone, fmt::format("of {} gone in {}", result.base.name, result.head.name));
  if (result.suppressed > 0)
    say(fmt::format("{} failed with suppressed findings", count_of(result.suppressed, "execution")));
}

size_t tried_before(const CheckResult& result) {
  return static_cast<size_t>(std::count_if(result.tests.begin(), result.tests.end(),
                                           [](const CheckedTest& test) { return test.was_tried_before; }));
}

size_t plainly_tried(const CheckResult& result) {
  return static_cast<size_t>(std::count_if(result.tests.begin(), result.tests.end(),
                                           [](const CheckedTest& test) { return test.is_plain; }));
}

// What the stages came to.
void say_stages(const CheckResult& result) {
  for (const StageReport& stage : result.stages) {
    for (const std::string& note : stage.notes) say(note);
    if (!stage.trouble.empty()) say(fmt::format("{} came to no end: {}", stage.name, stage.trouble));
    say_names(stage.not_reached, fmt::format("not looked into by {} for lack of time", stage.name));
  }
}

// Which tests were chosen, and why not the others.
void say_selection(const CheckResult& result) {
  const CheckSelection& selection = result.selection;
  if (result.interrupted) return;
  if (!selection.why_not.empty())
    say("which tests matter for the change cannot be told, so all count: " + selection.why_not);
  if (!selection.was_made) return;
  for (const std::string& assumption : selection.assumptions) say(assumption);
  if (selection.is_empty_change) {
    say(fmt::format("nothing that {} compiles has another meaning than in {}: no test is selected",
                    result.head.name, result.base.name));
    return;
  }
  std::string text = fmt::format("{} of {} selected", selection.selected, count_of(selection.of, "test"));
  if (selection.selected < selection.of) {
    const std::string_view whose = selection.selected != 0 ? "the threads of the others do"
                                   : selection.of == 1     ? "its threads do"
                                                           : "their threads do";
    text += fmt::format(": {} not meet what the change touches", whose);
  }
  const size_t plain = plainly_tried(result);
  if (plain != 0 && selection.of == 1)
    text += "; it reached that, and ran once for ordinary faults";
  else if (plain != 0)
    text += fmt::format("; {} of them reached it, and ran once for ordinary faults", plain);
  say(text);
}

// What is neither new nor known for want of a base is told like what is new.
bool is_told_in_full(const CheckFinding& finding, const CheckResult& result) {
  const FindingStatus status = finding.found.finding.status;
  return status == FindingStatus::kNew || (status == FindingStatus::kUnknown && !result.base_failure.empty());
}

ReportedRevision describe(const Revision& revision, const ProjectBuild& build) {
  return {.name = revision.name,
          .commit = revision.commit,
          .is_working_tree = revision.is_working_tree,
          .build_seconds = build.seconds,
          .build_cached = build.was_cached};
}

// All tests of both revisions: in order those that were tried, and the others.
std::vector<ReportedTest> describe_tests(const CheckResult& result) {
  std::map<std::string, ReportedTest> tests;
  const auto test = [&](const std::string& name) -> ReportedTest& {
    ReportedTest& found = tests[name];
    found.name = name;
    return found;
  };
  const CheckSelection& selection = result.selection;
  for (size_t i = 0; i < selection.order.size(); ++i) {
    ReportedTest& told = test(selection.order[i]);
    told.fate = TestFate::kNotSelected;
    told.is_selected = i < selection.selected;
    if (const auto why = selection.reasons.find(told.name); why != selection.reasons.end())
      told.reasons = why->second;
    if (!told.is_selected) told.reasons = {"its threads do not meet what the change touches"};
  }
  for (const std::string& name : result.not_reached) test(name).fate = TestFate::kNotReached;
  for (const CheckedTest& tried : result.tests) {
    ReportedTest& told = test(tried.name);
    told.fate = tried.trouble.empty() ? TestFate::kPassed : TestFate::kTrouble;
    if (!tried.trouble.empty()) told.reasons = {tried.trouble};
    if (tried.is_plain) told.reasons = {"it comes to code that the change touches: executed once"};
    told.executions = tried.executions;
    told.is_complete = tried.complete;
    told.was_tried_before = tried.was_tried_before;
    told.is_plain = tried.is_plain;
  }
  for (const UnusableTest& unusable : result.unusable) {
    test(unusable.name).fate = TestFate::kUnusable;
    test(unusable.name).reasons = {unusable.why};
  }
  for (const std::string& name : result.gone) {
    test(name).fate = TestFate::kGone;
    test(name).is_selected = false;
  }
  for (const CheckFinding& finding : result.findings) {
    for (const std::string& name : finding.tests) {
      test(name).fate = TestFate::kFailed;
      test(name).findings.push_back(finding.found.finding.fingerprint);
    }
  }
  std::vector<ReportedTest> list;
  for (const std::string& name : selection.order)
    if (const auto told = tests.extract(name); !told.empty()) list.push_back(std::move(told.mapped()));
  for (auto& [name, told] : tests) list.push_back(std::move(told));
  return list;
}

nlohmann::ordered_json describe(const StageReport& stage) {
  nlohmann::ordered_json told = {{"name", stage.name}};
  if (!stage.idle.empty()) {
    told["idle"] = stage.idle;
    return told;
  }
  told["seconds"] = static_cast<double>(stage.spent.count()) / 1000;
  if (stage.built.count() != 0) told["build_seconds"] = static_cast<double>(stage.built.count()) / 1000;
  told["share_seconds"] = static_cast<double>(stage.share.count()) / 1000;
  told["executions"] = stage.executions;
  told["reused"] = stage.reused;
  told["not_reached"] = stage.not_reached;
  if (!stage.trouble.empty()) told["trouble"] = stage.trouble;
  if (!stage.own.is_null()) told["own"] = stage.own;
  return told;
}

// Whether there is a file with its schedule. A finding without one is told all the same: what was executed is
// not lost with the disk.
bool keep_schedule(CheckFinding& finding, const fs::path& folder, const CheckResult& result) {
  Finding& told = finding.found.finding;
  if (!told.schedule.empty()) return true;                   // the stage has written it
  if (finding.found.schedule.command.empty()) return false;  // its message says how to see it
  const Expected<std::string> file =
      write_schedule_in(folder, finding.found.schedule, told, name_to_build(result.head));
  if (!file) {
    say(file.error().message);
    return false;
  }
  told.schedule = *file;
  return true;
}

}  // namespace

void tell_findings(CheckResult& result, const fs::path& folder, bool lists_known,
                   const EvidenceOptions& evidence) {
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  size_t told = 0;
  bool are_kept = false;
  for (CheckFinding& finding : result.findings) {
    name_by_project(result.head_build, &finding.found);
    if (finding.found.finding.status == FindingStatus::kKnown) continue;
    are_kept |= keep_schedule(finding, folder, result);
    gather_evidence(finding, *symbolizer, evidence);
    if (is_told_in_full(finding, result) && told++ < kToldInFull) tell_in_full(finding, result);
  }
  if (told > kToldInFull)
    say(fmt::format("the other {} in short; `heddle replay` shows each in full", told - kToldInFull));
  if (lists_known) list(result, FindingStatus::kKnown, "known");
  list(result, FindingStatus::kUnknown, "not compared with the base");
  list(result, FindingStatus::kNew, "new");
  if (are_kept) say(fmt::format("schedules to replay are in {}", folder.string()));
  say_limits(result);
  say_stages(result);
  say_selection(result);
}

std::string tests_tried(const CheckResult& result) {
  const size_t before = tried_before(result);
  const size_t tried = result.tests.size() - before - plainly_tried(result);
  return fmt::format("{} tried in {}{}",
                     result.selection.was_made
                         ? fmt::format("{} of {}", tried, count_of(result.selection.of, "test"))
                         : count_of(tried, "test"),
                     count_of(result.executions, "execution"),
                     before == 0 ? "" : fmt::format(", {} found clean before", before));
}

std::string tests_left(const CheckResult& result) {
  if (result.not_reached.empty()) return "";
  return fmt::format("; {} not tried: the time was not enough", count_of(result.not_reached.size(), "test"));
}

std::string summary_without_base(const CheckResult& result) {
  return fmt::format("{} alone, since {} does not build: {}, {} that nobody can call new or known{}",
                     result.head.name, result.base.name, tests_tried(result),
                     count_of(result.count(FindingStatus::kUnknown), "finding"), tests_left(result));
}

std::string verdict_of(const CheckResult& result) {
  if (!result.base_failure.empty()) return summary_without_base(result);
  return fmt::format("{} against {}: {}, {} new, {} known{}", result.head.name, result.base.name,
                     tests_tried(result), count_of(result.count(FindingStatus::kNew), "finding"),
                     result.count(FindingStatus::kKnown), tests_left(result));
}

void tell_check(CheckResult& result, const fs::path& folder, const EvidenceOptions& evidence) {
  tell_findings(result, folder, /*lists_known=*/true, evidence);
  say(verdict_of(result));
}

Report describe_check(const CheckResult& result, const std::string& error) {
  Report report;
  RunResult& told = report.result;
  told.command = "check";
  told.executions = result.executions;
  told.complete = error.empty() && result.complete();
  report.error = error;
  report.is_interrupted = result.interrupted;
  report.base = describe(result.base, result.base_build);
  report.head = describe(result.head, result.head_build);
  report.tests = describe_tests(result);
  if (error.empty()) report.verdict = verdict_of(result);
  nlohmann::ordered_json& own = told.own;
  own["tests"] = result.tests.size();
  own["tried_before"] = tried_before(result);
  own["not_reached"] = result.not_reached;
  own["gone"] = result.gone;
  own["unusable"] = nlohmann::ordered_json::array();
  for (const UnusableTest& test : result.unusable)
    own["unusable"].push_back({{"name", test.name}, {"why", test.why}});
  own["selected"] = result.selection.selected;
  own["of"] = result.selection.of;
  own["tried_plainly"] = plainly_tried(result);
  own["selection_made"] = result.selection.was_made;
  if (!result.selection.why_not.empty()) own["not_selected_because"] = result.selection.why_not;
  own["assumptions"] = result.selection.assumptions;
  own["new"] = result.count(FindingStatus::kNew);
  own["known"] = result.count(FindingStatus::kKnown);
  own["suppressed"] = result.suppressed;
  own["cpu_seconds"] = {{"builds", result.cpu_seconds_of_builds}};
  if (result.cpu_seconds_to_first_finding)
    own["cpu_seconds"]["to_first_finding"] = *result.cpu_seconds_to_first_finding;
  own["pipeline"] = nlohmann::ordered_json::array();
  for (const StageReport& stage : result.stages) {
    own["pipeline"].push_back(describe(stage));
    if (stage.idle.empty())
      report.stages.push_back({stage.name, static_cast<double>(stage.spent.count()) / 1000});
    report.notes.insert(report.notes.end(), stage.notes.begin(), stage.notes.end());
    if (stage.name == "generate" && !stage.own.is_null()) own["generated"] = stage.own;
  }
  for (const CheckFinding& finding : result.findings) {
    Finding& one = told.findings.emplace_back(finding.found.finding);
    one.tests = finding.tests;
    one.words = finding.found.words.lines;
  }
  return report;
}

}  // namespace heddle
