#include "report/html/page_document.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/html/source_excerpts.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;
using trace::EventKind;

// Texts that are named by number, in the order in which they first occur.
class TextTable {
 public:
  int64_t number(const std::string& text) {
    const auto [entry, is_new] = numbers_.try_emplace(text, static_cast<int64_t>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return entry->second;
  }
  ordered_json take() { return std::move(texts_); }

 private:
  std::map<std::string, int64_t> numbers_;
  ordered_json texts_ = ordered_json::array();
};

std::string note_of(const RecordedExecution& execution, const RecordedExecution::Event& event) {
  namespace flag = trace::event_flag;
  const auto thread = [&](uint32_t index) {
    return index < execution.threads.size() ? execution.threads[index].name : std::string();
  };
  if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin) return thread(event.size);
  if ((event.kind == EventKind::kCondWake || event.kind == EventKind::kFutexAwake) && event.size != 0)
    return "by " + thread(event.size - 1);
  if ((event.flags & flag::kFailed) != 0) return "fails";
  if ((event.flags & flag::kTimedOut) != 0) return "timed out";
  if ((event.flags & flag::kRecursive) != 0) return "again";
  if ((event.flags & flag::kSpin) != 0) return "waits in a loop";
  return {};
}

// One finding's execution. The arrays of the document have an entry for each event.
class ExecutionWriter {
 public:
  ExecutionWriter(const Evidence& evidence, const RecordedExecution& execution, SourceExcerpts& sources)
      : evidence_(evidence), execution_(execution), sources_(sources) {}

  ordered_json write() {
    for (const auto& [file, lines] : execution_.sources) sources_.provide(file, lines);
    ordered_json json;
    json["places"] = places();
    json["locations"] = locations();
    add_events(json);
    json["threads"] = threads();
    json["locks"] = locks();
    json["order"] = ordered_json::array();
    for (const RecordedExecution::Order& order : execution_.orders)
      json["order"].push_back({order.before, order.after});
    json["steps"] = steps();
    if (execution_.events_in_all > execution_.events.size())
      json["left_out"] = execution_.events_in_all - execution_.events.size();
    return json;
  }

 private:
  // The page counts places and locations from 0; here 0 is none.
  static int64_t without_none(uint32_t index) { return static_cast<int64_t>(index) - 1; }

  ordered_json place(const SourceLine& line) {
    ordered_json json = {{"file", -1}, {"line", line.line}, {"function", line.function}};
    if (line.is_user_code && !line.file.empty()) {
      json["file"] = sources_.file(line.file);
      sources_.mention(line.file, line.line);
      if (!line.text.empty()) json["text"] = line.text;
      if (line.is_changed) json["changed"] = true;
    }
    return json;
  }

  ordered_json places() {
    ordered_json json = ordered_json::array();
    for (size_t i = 1; i < execution_.places.size(); ++i) json.push_back(place(execution_.places[i]));
    return json;
  }

  ordered_json locations() const {
    ordered_json json = ordered_json::array();
    for (size_t i = 1; i < execution_.objects.size(); ++i)
      json.push_back({{"name", execution_.objects[i].name}});
    return json;
  }

  void add_events(ordered_json& json) {
    TextTable verbs;
    TextTable notes;
    notes.number("");
    ordered_json threads = ordered_json::array();
    ordered_json places = ordered_json::array();
    ordered_json kinds = ordered_json::array();
    ordered_json locations = ordered_json::array();
    ordered_json noted = ordered_json::array();
    ordered_json runs = ordered_json::array();
    ordered_json keys = ordered_json::array();
    std::set<int64_t> reads;
    std::set<int64_t> writes;
    uint64_t next = 0;
    for (size_t i = 0; i < execution_.events.size(); ++i) {
      const RecordedExecution::Event& event = execution_.events[i];
      const int64_t kind = verbs.number(std::string(verb(event)));
      if (is_write(event.kind)) writes.insert(kind);
      if (is_access(event.kind) && event.kind != EventKind::kWrite && event.kind != EventKind::kAtomicWrite)
        reads.insert(kind);
      threads.push_back(event.thread);
      places.push_back(without_none(event.place));
      kinds.push_back(kind);
      locations.push_back(without_none(event.object));
      noted.push_back(notes.number(note_of(execution_, event)));
      if (event.is_key) keys.push_back(i);
      if (runs.empty() || event.number != next) runs.push_back({event.number, 0});
      runs.back()[1] = runs.back()[1].get<uint64_t>() + 1;
      next = event.number + 1;
    }
    ordered_json about = ordered_json::array();
    for (size_t i = 1; i < execution_.objects.size(); ++i)
      if (execution_.objects[i].of_failure) about.push_back(i - 1);
    json["verbs"] = verbs.take();
    json["notes"] = notes.take();
    json["reads"] = reads;
    json["writes"] = writes;
    json["runs"] = std::move(runs);
    json["events"] = {{"thread", std::move(threads)},
                      {"place", std::move(places)},
                      {"verb", std::move(kinds)},
                      {"location", std::move(locations)},
                      {"note", std::move(noted)}};
    json["key"] = std::move(keys);
    json["about"] = std::move(about);
  }

  ordered_json threads() {
    ordered_json json = ordered_json::array();
    for (const RecordedExecution::Thread& thread : execution_.threads) {
      ordered_json one = {{"name", thread.name}, {"title", thread.label}};
      if (thread.takes_part) one["takes_part"] = true;
      const auto told = std::find_if(evidence_.flow.threads.begin(), evidence_.flow.threads.end(),
                                     [&](const FlowThread& flow) { return flow.name == thread.name; });
      if (told != evidence_.flow.threads.end() && told->has_end) {
        one["end"] = {{"note", told->end_note}};
        if (told->end.line != 0) one["end"]["place"] = place(told->end);
      }
      json.push_back(std::move(one));
    }
    return json;
  }

  ordered_json locks() const {
    ordered_json json = ordered_json::array();
    for (const RecordedExecution::Held& held : execution_.held) {
      ordered_json one = {{"thread", held.thread},
                          {"location", without_none(held.object)},
                          {"from", held.begin},
                          {"to", held.end < execution_.events.size() ? static_cast<int64_t>(held.end) : -1}};
      if (!held.is_exclusive) one["shared"] = true;
      json.push_back(std::move(one));
    }
    return json;
  }

  // Steps of the flow that are among the events; older ones have left no events.
  ordered_json steps() const {
    ordered_json json = ordered_json::array();
    for (const FlowRow& row : evidence_.flow.rows) {
      if (row.is_gap()) continue;
      const auto found = std::lower_bound(
          execution_.events.begin(), execution_.events.end(), row.step.event,
          [](const RecordedExecution::Event& event, uint64_t number) { return event.number < number; });
      if (found == execution_.events.end() || found->number != row.step.event) continue;
      json.push_back({{"event", found - execution_.events.begin()},
                      {"events", length_of_step(found)},
                      {"operations", row.step.operations}});
    }
    return json;
  }

  // A step is what a thread does on one line without another one in between.
  ptrdiff_t length_of_step(std::vector<RecordedExecution::Event>::const_iterator first) const {
    const auto end = std::find_if(first, execution_.events.end(), [&](const RecordedExecution::Event& event) {
      if (event.thread != first->thread) return true;
      const SourceLine& here = execution_.places[event.place];
      const SourceLine& there = execution_.places[first->place];
      return here.file != there.file || here.line != there.line;
    });
    return end - first;
  }

  const Evidence& evidence_;
  const RecordedExecution& execution_;
  SourceExcerpts& sources_;
};

ordered_json details(const Evidence& evidence) {
  ordered_json json = ordered_json::array();
  for (const Paragraph& paragraph : evidence.details)
    json.push_back({{"text", paragraph.text}, {"lines", paragraph.lines}});
  return json;
}

}  // namespace

ordered_json page_document(const Report& report) {
  const SourceScope scope{.root = report.root};
  SourceExcerpts sources;
  ordered_json evidence = ordered_json::object();
  for (const Finding& finding : report.result.findings) {
    for (const FindingSite& site : finding.sites)
      if (!site.file.empty()) sources.mention(scope.name(site.file), site.line);
    if (!finding.evidence) continue;
    ordered_json& one = evidence[finding.fingerprint];
    one["details"] = details(*finding.evidence);
    one["notes"] = finding.evidence->notes;
    if (const auto& execution = finding.evidence->execution)
      one["execution"] = ExecutionWriter(*finding.evidence, *execution, sources).write();
  }
  for (const ReportedFile& file : report.change) {
    sources.change(file.path, file.changed_lines);
    for (const uint32_t line : file.impacted_lines) sources.mention(file.path, line);
  }
  if (report.graph)
    for (const ReportedGraph::Node& node : report.graph->nodes)
      if (!node.place.file.empty()) sources.mention(node.place.file, node.place.line);
  sources.read_missing(report.root);
  return {{"heddle_report", kPageDocumentVersion},
          {"result", to_json(report)},
          {"evidence", std::move(evidence)},
          {"sources", sources.to_json()}};
}

}  // namespace heddle
