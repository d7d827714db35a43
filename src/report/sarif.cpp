// SARIF 2.1.0, within the limits of GitHub's code scanning: of a run it takes 25,000 results and shows 5,000;
// of a result it shows 1,000 thread flow locations and 100 locations; a file has at most 10 MB when
// compressed.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/finding_kinds.h"
#include "report/report_paths.h"
#include "report/text.h"
#include "report/writers.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostResults = 5'000;
constexpr size_t kMostRelated = 100;
constexpr size_t kMostFlowLocations = 1'000;
// Of all results. One takes about 50 bytes when compressed, so this is a third of what a file may have.
constexpr size_t kMostFlowLocationsOfAll = 60'000;

constexpr const char* kRoot = "%SRCROOT%";
constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

Json text_object(std::string_view text) {
  return {{"text", printable(text)}};
}

const char* level_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "none";
}

class SarifWriter {
 public:
  explicit SarifWriter(const Report& report) : report_(report) {}

  std::string run() {
    std::vector<const Finding*> findings;
    for (const Finding& finding : report_.result.findings) findings.push_back(&finding);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding* a, const Finding* b) { return is_graver(*a, *b); });
    const size_t left_out = findings.size() - std::min(findings.size(), kMostResults);
    findings.resize(findings.size() - left_out);
    // All results of a run must have it, or none.
    has_base_ = std::all_of(findings.begin(), findings.end(), [](const Finding* finding) {
      return finding->status != FindingStatus::kUnknown;
    });
    for (const FindingKind& kind : finding_kinds()) add_rule(kind);
    Json results = Json::array();
    for (const Finding* finding : findings) results.push_back(result(*finding));

    Json run = {
        {"tool",
         {{"driver",
           {{"name", "heddle"}, {"semanticVersion", heddle_version()}, {"rules", std::move(rules_)}}}}},
        {"invocations", {invocation(left_out)}}};
    if (report_.root.starts_with('/'))
      run["originalUriBaseIds"] = {{kRoot, {{"uri", fmt::format("file://{}/", uri_path(report_.root))}}}};
    run["columnKind"] = "unicodeCodePoints";
    run["results"] = std::move(results);
    if (!report_.verdict.empty()) run["properties"] = {{"verdict", printable(report_.verdict)}};
    return dump({{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", {std::move(run)}}}) + '\n';
  }

 private:
  Json invocation(size_t left_out) const {
    Json object = {{"executionSuccessful", report_.error.empty() && !report_.is_interrupted}};
    Json notes = Json::array();
    const auto add = [&](const char* level, const std::string& text) {
      notes.push_back({{"level", level}, {"message", text_object(text)}});
    };
    if (!report_.error.empty()) add("error", report_.error);
    if (left_out != 0)
      add("warning", fmt::format("{} that weigh less are left out", count_of(left_out, "finding")));
    for (const std::string& note : report_.notes) add("note", note);
    if (!notes.empty()) object["toolExecutionNotifications"] = std::move(notes);
    return object;
  }

  size_t add_rule(const FindingKind& kind) {
    const std::string name(kind.kind);
    rules_.push_back(
        {{"id", "heddle/" + name},
         {"name", name},
         {"shortDescription", text_object(kind.title)},
         {"fullDescription", text_object(kind.what)},
         {"help", {{"text", fmt::format("{} {}", kind.what, kind.help)}}},
         {"defaultConfiguration", {{"level", "error"}}},
         {"properties", {{"tags", {"concurrency", "correctness"}}, {"precision", "very-high"}}}});
    rule_numbers_[name] = rules_.size() - 1;
    return rules_.size() - 1;
  }

  size_t rule_of(const std::string& kind) {
    const auto known = rule_numbers_.find(kind);
    return known != rule_numbers_.end() ? known->second : add_rule(finding_kind(kind));
  }

  Json result(const Finding& finding) {
    const size_t rule = rule_of(finding.kind);
    Json object = {{"ruleId", "heddle/" + finding.kind},
                   {"ruleIndex", rule},
                   {"level", level_of(severity_of(finding))},
                   {"message", text_object(message(finding))}};
    const FindingSite* main = main_site(report_, finding);
    // Without a place a result is refused.
    object["locations"] = {main != nullptr
                               ? location(place_of(finding, *main))
                               : Json{{"physicalLocation",
                                       {{"artifactLocation", {{"uri", "./"}, {"uriBaseId", kRoot}}},
                                        {"region", {{"startLine", 1}}}}}}};
    Json related = Json::array();
    for (const FindingSite& site : finding.sites) {
      if (&site == main || site.file.empty() || site.line == 0 || related.size() == kMostRelated) continue;
      Json other = location(place_of(finding, site));
      other["id"] = related.size();
      other["message"] = text_object("in " + site.function);
      related.push_back(std::move(other));
    }
    if (!related.empty()) object["relatedLocations"] = std::move(related);
    if (finding.evidence) add_flow(*finding.evidence, &object);
    object["partialFingerprints"] = {{"heddle/v1", finding.fingerprint}};
    if (has_base_) object["baselineState"] = finding.status == FindingStatus::kNew ? "new" : "unchanged";
    object["properties"] = properties(finding);
    return object;
  }

  static std::string message(const Finding& finding) {
    std::string text = finding.message;
    if (!finding.tests.empty()) text += fmt::format(". Shown by {}", join_words(finding.tests));
    if (!finding.schedule.empty()) text += fmt::format(". Replay: heddle replay {}", finding.schedule);
    return text + '.';
  }

  static Json properties(const Finding& finding) {
    Json object = to_json(finding);
    Json kept = Json::object();
    for (const char* name :
         {"confirmation", "status", "threads", "tests", "executions_to_find", "occurrences", "schedule"})
      if (object.contains(name)) kept[name] = std::move(object[name]);
    return kept;
  }

  // With its text, if the evidence has it.
  static SourceLine place_of(const Finding& finding, const FindingSite& site) {
    SourceLine place{.file = site.file, .line = site.line, .column = site.column, .function = site.function};
    if (!finding.evidence) return place;
    for (const SourceLine& known : finding.evidence->sites)
      if (known.line == site.line && known.function == site.function) place.text = known.text;
    return place;
  }

  Json location(const SourceLine& place) const {
    Json artifact;
    if (const std::optional<std::string> name = below_root(report_, place.file))
      artifact = {{"uri", uri_path(*name)}, {"uriBaseId", kRoot}};
    else
      artifact = {{"uri", (place.file.front() == '/' ? "file://" : "") + uri_path(place.file)}};
    Json region = {{"startLine", place.line}};
    if (place.column != 0) region["startColumn"] = place.column;
    if (!place.text.empty()) region["snippet"] = text_object(place.text);
    Json object = {
        {"physicalLocation", {{"artifactLocation", std::move(artifact)}, {"region", std::move(region)}}}};
    if (!place.function.empty())
      object["logicalLocations"] = {{{"fullyQualifiedName", place.function}, {"kind", "function"}}};
    return object;
  }

  // One thread flow for each thread; the order over all of them is that of the execution.
  void add_flow(const Evidence& evidence, Json* result) {
    const Flow& flow = evidence.flow;
    std::vector<Json> threads(flow.threads.size(), Json::array());
    size_t order = 0;
    const auto add = [&](size_t thread, const SourceLine& place, const std::string& text, bool is_key) {
      if (place.file.empty() || place.line == 0 || order == kMostFlowLocations) return;
      Json where = location(place);
      where["message"] = text_object(place.is_changed ? text + " (changed)" : text);
      threads[thread].push_back({{"location", std::move(where)},
                                 {"executionOrder", ++order},
                                 {"importance", is_key ? "essential" : "important"}});
    };
    for (const FlowRow& row : flow.rows)
      if (!row.is_gap())
        add(row.thread, row.step.place,
            fmt::format("{}: {}", flow.threads[row.thread].name, row.step.description),
            row.step.is_key || !row.step.operations.empty());
    for (size_t thread = 0; thread < flow.threads.size(); ++thread)
      if (flow.threads[thread].has_end)
        add(thread, flow.threads[thread].end,
            fmt::format("{} {}", flow.threads[thread].name, flow.threads[thread].end_note), true);
    if (order == 0 || flow_locations_ + order > kMostFlowLocationsOfAll) return;
    flow_locations_ += order;
    Json flows = Json::array();
    for (size_t thread = 0; thread < threads.size(); ++thread)
      if (!threads[thread].empty())
        flows.push_back({{"id", flow.threads[thread].name},
                         {"message", text_object(flow.threads[thread].label)},
                         {"locations", std::move(threads[thread])}});
    (*result)["codeFlows"] = {
        {{"message", text_object("How it came about")}, {"threadFlows", std::move(flows)}}};
  }

  const Report& report_;
  Json rules_ = Json::array();
  std::map<std::string, size_t> rule_numbers_;
  bool has_base_ = false;
  size_t flow_locations_ = 0;
};

}  // namespace

std::string write_sarif(const Report& report) {
  return SarifWriter(report).run();
}

}  // namespace heddle
