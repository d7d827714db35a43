// `heddle impact`: which interleavings of a test are new because of a change.
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/change_impact.h"
#include "cli/command_line.h"
#include "cli/opened_change.h"
#include "cli/progress.h"
#include "cli/project_store.h"
#include "cli/revision_options.h"
#include "impact/reasons.h"
#include "report/run_result.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct ImpactCommandOptions : RevisionOptions {
  std::string store;
  std::string json;
};

// Impacted events that are alike to a reader: of one line, for one reason.
struct ImpactedLine {
  std::string place;  // "Cache::get cache.cpp:41:7"
  std::string does;   // "write of `Cache::size_`"
  std::string reason;
  std::string words;
  std::set<std::string> threads;
  uint64_t events = 0;
};

std::vector<ImpactedLine> lines_of(TestImpact& found) {
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  TraceSymbols& symbols = *found.head.symbols;
  std::vector<ImpactedLine> lines;
  std::map<std::tuple<uint32_t, uint32_t, ImpactReason>, size_t> known;  // site, context, reason
  std::map<std::tuple<std::string, std::string, std::string>, size_t> alike;
  for (const ImpactedEvent& impacted : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[impacted.event];
    const auto [entry, is_new] = known.try_emplace({event.site, event.context, impacted.reason});
    if (is_new) {
      ImpactedLine line;
      line.place = symbols.site_text(event.site, event.context);
      line.does =
          fmt::format("{} of {}", trace::to_text(event.kind),
                      event.object == 0 ? "nothing" : symbols.location_text(event.object, event.offset));
      line.reason = to_text(impacted.reason);
      line.words = words.describe(impacted);
      const auto [same, is_first] = alike.try_emplace({line.place, line.does, line.words}, lines.size());
      entry->second = same->second;
      if (is_first) lines.push_back(std::move(line));
    }
    ImpactedLine& line = lines[entry->second];
    ++line.events;
    line.threads.insert(symbols.trace().thread_name(event.thread));
  }
  return lines;
}

void print(const std::string& test, TestImpact& found, const std::vector<ImpactedLine>& lines) {
  fmt::print("{}: {} of {} accesses impacted\n", test, found.impact.impacted_accesses, found.impact.accesses);
  for (const ImpactedLine& line : lines) {
    fmt::print("  {}: {}\n", line.place, line.does);
    fmt::print("      {}: {}; {} in {}\n", line.reason, line.words, count_of(line.events, "event"),
               join_words({line.threads.begin(), line.threads.end()}));
  }
}

nlohmann::ordered_json to_json(TestImpact& found, const ProjectBuild& build) {
  nlohmann::ordered_json impacted = nlohmann::ordered_json::array();
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  TraceSymbols& symbols = *found.head.symbols;
  for (const ImpactedEvent& one : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[one.event];
    const Frame& line = symbols.line_of_interest(event.site, event.context);
    impacted.push_back({{"site",
                         {{"file", fs::path(line.file).lexically_proximate(build.source).string()},
                          {"line", line.line},
                          {"column", line.column},
                          {"function", line.function}}},
                        {"thread", symbols.trace().thread_name(event.thread)},
                        {"kind", trace::to_text(event.kind)},
                        {"reason", to_text(one.reason)},
                        {"event", one.event},
                        {"words", words.describe(one)}});
  }
  return impacted;
}

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

Expected<int> run(const ImpactCommandOptions& options, const Invocation& invocation) {
  const auto started = std::chrono::steady_clock::now();
  if (!invocation.has_words || invocation.words.empty())
    return usage_error("which test? Name it after --: heddle impact --base REV -- TEST");
  const Expected<OpenedChange> opened = open_change(options, options.store);
  if (!opened) return tl::unexpected(opened.error());
  Progress progress;
  const Expected<ChangeImpact> change = ChangeImpact::prepare(
      opened->repository, opened->project, opened->revisions,
      {.store = opened->store, .compilers = own_folder(), .step = [&](const std::string& text) {
         progress.update([&] { return text; });
       }});
  progress.clear();
  if (!change) return tl::unexpected(change.error());

  RunResult told;
  told.command = "impact";
  told.complete = true;
  told.own["tests"] = nlohmann::ordered_json::array();
  uint64_t accesses = 0;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  for (const std::string& name : invocation.words) {
    const Expected<TestOfBoth> test = change->find(name);
    if (!test) return tl::unexpected(test.error());
    const Expected<std::unique_ptr<TestImpact>> found = change->look_at(*test, *symbolizer);
    if (!found) return tl::unexpected(found.error());
    if (test->base == nullptr) say(fmt::format("{} is new: all that it does is", name));
    const bool base_is_seen =
        test->base == nullptr || say_how_it_ended(name, "base", (*found)->base.recording);
    const bool head_is_seen = say_how_it_ended(name, "head", (*found)->head.recording);
    told.complete &= base_is_seen && head_is_seen;
    told.executions += (*found)->base.recording.learning.executions +
                       (*found)->head.recording.learning.executions + (test->base == nullptr ? 1 : 2);
    print(name, **found, lines_of(**found));
    nlohmann::ordered_json impacted = to_json(**found, change->head_build());
    for (const nlohmann::ordered_json& one : impacted) all.push_back(one);
    accesses += (*found)->impact.accesses;
    told.own["tests"].push_back({{"name", name},
                                 {"accesses", (*found)->impact.accesses},
                                 {"impacted_accesses", (*found)->impact.impacted_accesses}});
  }
  told.own["accesses"] = accesses;
  told.own["impacted"] = std::move(all);
  told.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (!options.json.empty())
    if (const Expected<void> written = write_json(options.json, told); !written)
      return tl::unexpected(written.error());
  return exit_code::kClean;
}

}  // namespace

void add_impact_command(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand(
      "impact", "which interleavings of a test a change makes new: heddle impact --base REV -- TEST");
  auto options = std::make_shared<ImpactCommandOptions>();
  add_revision_options(*command, *options);
  command->add_option("--store", options->store, "heddle's own folder (default: .heddle in the project)");
  command->add_option("--json", options->json, "file for the result");
  command->callback([&invocation, options] {
    invocation.action = [&invocation, options] { return run(*options, invocation); };
  });
}

}  // namespace heddle
