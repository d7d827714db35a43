#include "cli/impact_run.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "check/regression_search.h"
#include "check/source_names.h"
#include "cli/analysed_test.h"
#include "cli/command_line.h"
#include "cli/impact_report.h"
#include "cli/outcome_output.h"
#include "cli/progress.h"
#include "cli/stored_failures.h"
#include "report/text.h"
#include "support/interruption.h"
#include "trace/names.h"

namespace heddle {
namespace {

// Of an execution that failed or is too long, what it did not come to is not compared. False for such a one.
bool say_how_it_ended(const std::string& test, std::string_view version, const Recording& recording) {
  const Execution& execution = recording.execution;
  const std::string_view message = recording.trace().outcome_message();
  if (execution.failed())
    say(fmt::format("warning: {} fails on the {} ({}{}{}): what comes after that is not compared", test,
                    version, trace::to_text(execution.outcome.kind), message.empty() ? "" : ": ", message));
  if (recording.trace().events_lost() > 0)
    say(fmt::format("warning: the last {} of {} on the {} are not compared: they do not fit",
                    count_of(recording.trace().events_lost(), "event"), test, version));
  return !execution.failed() && recording.trace().events_lost() == 0;
}

std::string event_text(TraceSymbols& symbols, uint64_t number) {
  if (number >= symbols.trace().events().size()) return "the end of the test";
  const trace::EventRecord& event = symbols.trace().events()[number];
  const std::string place = symbols.site_text(event.site, event.context);
  return fmt::format("{} by {}{}", trace::to_text(event.kind), symbols.trace().thread_name(event.thread),
                     place.empty() ? "" : " at " + place);
}

// False for a test that does not do the same again: then not all that differs comes from the change.
bool say_whether_it_repeats(const std::string& test, std::string_view version, VersionOfTest& executed,
                            Symbolizer& symbolizer) {
  if (!executed.divergence) return true;
  TraceSymbols other(executed.divergence->other, symbolizer);
  const uint64_t event = executed.divergence->event;
  say(
      fmt::format("warning: {} does something else each time it is executed on the {}, so not all that is "
                  "impacted comes from the change. The first difference is event {}: {}; the second time, {}",
                  test, version, event, event_text(*executed.symbols, event), event_text(other, event)));
  return false;
}

// That a trace ends with.
Expected<void> tell_failure_of(const trace::Trace& trace, FindingListener& listener) {
  ReportContext context(trace, listener.symbolizer(), listener.directory());
  std::optional<FailureStory> story = tell_failure(context);
  const trace::OutcomeKind kind = trace.outcome().kind;
  if (!story || !listener.news(context, *story, kind)) return {};
  return listener.tell(context, std::move(*story),
                       {.kind = kind,
                        .confirmation = Confirmation::kExecuted,
                        .notes = {"it happened in the execution that was recorded"}});
}

// How the head's execution failed. One that was not seen to its end says nothing about the program.
Expected<void> tell_end(const VersionOfTest& head, FindingListener& listener) {
  if (!head.server) return tell_failure_of(head.recording.trace(), listener);
  if (!check_seen_to_the_end(head.recording.execution)) return {};
  return tell_own_failure(head.recording, *head.server, listener);
}

}  // namespace

Expected<void> ImpactRun::look_into(const std::string& name, ComparedTest& test, const ChangeImpact& change) {
  const StatementsOfBoth statements = change.statements();
  ImpactReport told(name, source());
  Totals totals;
  nlohmann::ordered_json replayed = nlohmann::ordered_json::array();
  if (const Expected<void> done = replay_stored(name, test, change, &totals, &replayed); !done) return done;
  while (totals.schedules == 0 || has_time()) {
    const Expected<std::unique_ptr<TestImpact>> found = test.next(deadline_);
    if (!found) return tl::unexpected(found.error());
    if (*found == nullptr) break;
    const AskBase base_has_elsewhere = [&](const FindingOfBoth& finding) {
      return test.base_has(finding, options_.units, (*found)->policy);
    };
    const Expected<void> looked = look_into(name, **found, statements, base_has_elsewhere, told, &totals);
    if (!looked) return looked;
  }
  if (!has_time()) {
    complete_ = false;
    say(fmt::format("{}: {} compared, and no time for more", name, count_of(totals.schedules, "schedule")));
  }
  executions_ += test.executions();
  nlohmann::ordered_json own = finish(name, totals);
  own["replayed"] = std::move(replayed);
  own["command"] = test.test().head->command.argv;
  say_unreached(name, test, change.change().statements, &own);
  tests_.push_back(std::move(own));
  return {};
}

Expected<void> ImpactRun::look_into(const std::string& name, TestImpact& found,
                                    const StatementsOfBoth& statements) {
  ImpactReport told(name, source());
  Totals totals;
  if (const Expected<void> looked = look_into(name, found, statements, {}, told, &totals); !looked)
    return looked;
  tests_.push_back(finish(name, totals));
  return {};
}

Expected<void> ImpactRun::look_into(const std::string& name, TestImpact& found,
                                    const StatementsOfBoth& statements, const AskBase& base_has_elsewhere,
                                    ImpactReport& told, Totals* totals) {
  ++totals->schedules;
  complete_ &= say_what_is_compared(name_of_execution(name, found.policy), found);
  totals->accesses += found.impact.accesses;
  events_ += found.head.recording.trace().events().size();
  totals->impacted += found.impact.impacted_accesses;
  told.tell(found, options_.is_reported ? &impacted_ : nullptr);
  return search(name, found, statements, base_has_elsewhere, totals);
}

// What made the test fail before comes first: it costs least.
Expected<void> ImpactRun::replay_stored(const std::string& name, ComparedTest& test,
                                        const ChangeImpact& change, Totals* totals,
                                        nlohmann::ordered_json* replayed) {
  const StatementsOfBoth statements = change.statements();
  for (const StoredSchedule& stored : stored_schedules(options_.failures, test.test().head->command)) {
    if (!has_time()) break;
    const Expected<StoredReplay> replay =
        heddle::replay_stored(stored.schedule, change, test.test(), test.head_server(), report_.symbolizer());
    if (!replay) return tl::unexpected(replay.error());
    totals->executions += replay->executions;
    RegressionFilter filter(report_, statements.head, [&](const FindingOfBoth& finding) -> Expected<bool> {
      if (replay->in_base && finding_of_both(*replay->in_base, statements.base) == finding) return true;
      return test.base_has(finding, options_.units);
    });
    const size_t told_before = report_.findings().size();
    if (const Expected<void> told = tell_replay(stored, *replay, filter); !told) return told;
    add_findings(name, told_before, filter.known(), totals);
    replayed->push_back(to_json(stored, *replay));
  }
  return {};
}

std::filesystem::path ImpactRun::source() const {
  return options_.build != nullptr ? options_.build->source : std::filesystem::path();
}

bool ImpactRun::say_what_is_compared(const std::string& name, TestImpact& found) const {
  const bool base_is_seen = say_how_it_ended(name, "base", found.base.recording);
  const bool head_is_seen = say_how_it_ended(name, "head", found.head.recording);
  const bool base_is_same = say_whether_it_repeats(name, "base", found.base, report_.symbolizer());
  const bool head_is_same = say_whether_it_repeats(name, "head", found.head, report_.symbolizer());
  return base_is_seen && head_is_seen && base_is_same && head_is_same;
}

// What goes wrong in the interleavings that are new.
Expected<void> ImpactRun::search(const std::string& name, TestImpact& found,
                                 const StatementsOfBoth& statements, const AskBase& base_has_elsewhere,
                                 Totals* totals) {
  Progress progress;
  RegressionSearch search(statements, found, report_,
                          {.units = options_.units,
                           .deadline = deadline_,
                           .prophecies = prophecy_options(report_, progress, options_.lists_all),
                           .suspects = suspect_options(report_, progress, options_.lists_all),
                           .delays = &totals->delays,
                           .base_has_elsewhere = base_has_elsewhere});
  const size_t told_before = report_.findings().size();
  Expected<void> done = tell_end(found.head, search.listener());
  if (done) done = search.run();
  progress.clear();
  if (!done) return done;
  add_findings(name, told_before, search.known(), totals);
  for (const std::string& left_out : search.left_out()) say(left_out);

  complete_ &= search.not_tried() == 0 && search.left_out().empty();
  totals->explored += search.explored();
  totals->executions += search.executions();
  totals->not_tried += search.not_tried();
  if (options_.counts_all) totals->all_patterns += search.count_all();
  return {};
}

nlohmann::ordered_json ImpactRun::finish(const std::string& name, const Totals& totals) {
  accesses_ += totals.accesses;
  executions_ += totals.executions;
  explored_ += totals.explored;
  all_patterns_ += totals.all_patterns;
  nlohmann::ordered_json own = {{"name", name},
                                {"schedules", totals.schedules},
                                {"accesses", totals.accesses},
                                {"impacted_accesses", totals.impacted},
                                {"explored", totals.explored}};
  if (options_.counts_all) own["explored_of"] = totals.all_patterns;
  own["executions"] = totals.executions;
  const std::string of_all = options_.counts_all ? fmt::format(" of {}", totals.all_patterns) : "";
  fmt::print("{}: {}{} patterns explored, {}: {}, {} already in the base\n", name, totals.explored, of_all,
             count_of(totals.executions, "execution"), count_of(totals.told, "new finding"), totals.known);
  if (totals.not_tried > 0) say(fmt::format("{} not executed for lack of time", totals.not_tried));
  return own;
}

void ImpactRun::say_unreached(const std::string& name, const ComparedTest& test, const StatementMap& map,
                              nlohmann::ordered_json* own) const {
  nlohmann::ordered_json& places = (*own)["unreached"] = nlohmann::ordered_json::array();
  std::vector<std::string> words;
  for (const StatementId& id : test.unreached()) {
    const SourceRange& range = map.find_head(id)->range;
    places.push_back(
        {{"file", id.function.file}, {"line", range.first_line}, {"column", range.first_column}});
    const std::string place = fmt::format("{}:{}:{}", id.function.file, range.first_line, range.first_column);
    if (words.empty() || words.back() != place) words.push_back(place);
  }
  if (words.empty()) return;
  constexpr size_t kMostNamed = 8;  // the rest is in --json
  const size_t more = words.size() > kMostNamed ? words.size() - kMostNamed : 0;
  words.resize(words.size() - more);
  if (more > 0) words.push_back(fmt::format("{} more", more));
  say(fmt::format("{}: these changed lines were not reached, so nothing is known of them: {}", name,
                  join_words(words)));
}

// What was told since then, and what the base has as well.
void ImpactRun::add_findings(const std::string& name, size_t told_before, const std::vector<Finding>& known,
                             Totals* totals) {
  const size_t told = report_.findings().size() - told_before;
  add_findings(name, {report_.findings().end() - static_cast<ptrdiff_t>(told), report_.findings().end()},
               FindingStatus::kNew);
  add_findings(name, known, FindingStatus::kKnown);
  for (const Finding& finding : known)
    say(fmt::format("already in the base: {}: {}", finding.kind, printable(finding.message)));
  totals->told += told;
  totals->known += known.size();
}

void ImpactRun::add_findings(const std::string& name, const std::vector<Finding>& findings,
                             FindingStatus status) {
  std::optional<SourceNames> names;
  if (options_.build != nullptr) names.emplace(options_.build->source, options_.build->folder);
  for (Finding finding : findings) {
    finding.status = status;
    finding.tests = {name};
    if (names) name_sites(*names, &finding);
    findings_.push_back(std::move(finding));
  }
}

void ImpactRun::pass_over(const std::string& name, const Error& why) {
  complete_ = false;
  say(fmt::format("{} is passed over: {}", name, why.message));
  tests_.push_back({{"name", name}, {"trouble", why.message}});
}

RunResult ImpactRun::take_result() {
  RunResult result;
  result.command = "impact";
  result.seconds = report_.seconds();
  result.executions = executions_;
  result.complete = complete_ && !was_interrupted();
  result.findings = std::move(findings_);
  result.own["tests"] = std::move(tests_);
  result.own["events"] = events_;
  result.own["accesses"] = accesses_;
  result.own["explored"] = explored_;
  if (options_.counts_all) result.own["explored_of"] = all_patterns_;
  result.own["suppressed"] = report_.suppressed();
  result.own["impacted"] = std::move(impacted_);
  return result;
}

}  // namespace heddle
