// A report as JSON, there and back. docs/json.md describes it.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "report/report.h"

namespace heddle {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::pair<TestFate, const char*>, 7> kFates = {{{TestFate::kPassed, "passed"},
                                                                     {TestFate::kFailed, "failed"},
                                                                     {TestFate::kNotSelected, "not-selected"},
                                                                     {TestFate::kNotReached, "not-reached"},
                                                                     {TestFate::kUnusable, "unusable"},
                                                                     {TestFate::kTrouble, "trouble"},
                                                                     {TestFate::kGone, "gone"}}};

TestFate fate_of(const std::string& text) {
  for (const auto& [fate, name] : kFates)
    if (text == name) return fate;
  return TestFate::kTrouble;
}

// A list of objects, each made by `to`; nothing is added for an empty one.
template <typename Item, typename Convert>
void add_list(ordered_json& target, const char* name, const std::vector<Item>& items, Convert to) {
  if (items.empty()) return;
  ordered_json& list = target[name] = ordered_json::array();
  for (const Item& item : items) list.push_back(to(item));
}

template <typename Item, typename Convert>
void read_list(const json& source, const char* name, std::vector<Item>* items, Convert from) {
  const auto list = source.find(name);
  if (list == source.end() || !list->is_array()) return;
  for (const json& item : *list) items->push_back(from(item));
}

template <typename Item>
std::vector<Item> read_values(const json& source, const char* name) {
  return source.value(name, std::vector<Item>());
}

ordered_json revision_to_json(const ReportedRevision& revision) {
  return {{"name", revision.name},
          {"commit", revision.commit},
          {"working_tree", revision.is_working_tree},
          {"build_seconds", revision.build_seconds},
          {"build_cached", revision.build_cached}};
}

std::optional<ReportedRevision> read_revision(const json& source, const char* name) {
  const auto revision = source.find(name);
  if (revision == source.end() || !revision->is_object()) return std::nullopt;
  return ReportedRevision{.name = revision->value("name", ""),
                          .commit = revision->value("commit", ""),
                          .is_working_tree = revision->value("working_tree", false),
                          .build_seconds = revision->value("build_seconds", 0.0),
                          .build_cached = revision->value("build_cached", false)};
}

ordered_json test_to_json(const ReportedTest& test) {
  ordered_json result = {
      {"name", test.name}, {"outcome", to_text(test.fate)}, {"selected", test.is_selected}};
  if (!test.reasons.empty()) result["reasons"] = test.reasons;
  result["executions"] = test.executions;
  result["seconds"] = test.seconds;
  result["complete"] = test.is_complete;
  if (test.was_tried_before) result["tried_before"] = true;
  if (test.is_plain) result["plain"] = true;
  if (!test.findings.empty()) result["findings"] = test.findings;
  return result;
}

ReportedTest read_test(const json& test) {
  return {.name = test.value("name", ""),
          .fate = fate_of(test.value("outcome", "")),
          .is_selected = test.value("selected", true),
          .reasons = read_values<std::string>(test, "reasons"),
          .executions = test.value("executions", uint64_t{0}),
          .seconds = test.value("seconds", 0.0),
          .is_complete = test.value("complete", true),
          .was_tried_before = test.value("tried_before", false),
          .is_plain = test.value("plain", false),
          .findings = read_values<std::string>(test, "findings")};
}

ordered_json file_to_json(const ReportedFile& file) {
  ordered_json result = {{"file", file.path}, {"how", file.how}};
  if (!file.old_path.empty()) result["before"] = file.old_path;
  result["changed_lines"] = file.changed_lines;
  add_list(result, "functions", file.functions, [](const ReportedFunction& function) {
    return ordered_json{
        {"name", function.name}, {"line", function.line}, {"end", function.end}, {"how", function.how}};
  });
  if (!file.impacted_lines.empty()) result["impacted_lines"] = file.impacted_lines;
  if (file.impacted_accesses != 0) result["impacted_accesses"] = file.impacted_accesses;
  return result;
}

ReportedFile read_file(const json& source) {
  ReportedFile file{.path = source.value("file", ""),
                    .old_path = source.value("before", ""),
                    .how = source.value("how", ""),
                    .changed_lines = read_values<uint32_t>(source, "changed_lines"),
                    .functions = {},
                    .impacted_lines = read_values<uint32_t>(source, "impacted_lines"),
                    .impacted_accesses = source.value("impacted_accesses", uint64_t{0})};
  read_list(source, "functions", &file.functions, [](const json& function) {
    return ReportedFunction{.name = function.value("name", ""),
                            .line = function.value("line", 0U),
                            .end = function.value("end", 0U),
                            .how = function.value("how", "")};
  });
  return file;
}

ordered_json graph_to_json(const ReportedGraph& graph) {
  ordered_json result = {{"nodes", ordered_json::array()}, {"edges", ordered_json::array()}};
  for (const ReportedGraph::Node& node : graph.nodes)
    result["nodes"].push_back({{"kind", node.kind},
                               {"file", node.place.file},
                               {"line", node.place.line},
                               {"column", node.place.column},
                               {"function", node.place.function},
                               {"text", node.place.text},
                               {"reached", node.is_reached}});
  for (const ReportedGraph::Edge& edge : graph.edges)
    result["edges"].push_back({{"from", edge.from}, {"to", edge.to}, {"reached", edge.is_reached}});
  return result;
}

ReportedGraph read_graph(const json& source) {
  ReportedGraph graph;
  read_list(source, "nodes", &graph.nodes, [](const json& node) {
    return ReportedGraph::Node{.kind = node.value("kind", ""),
                               .place = {.file = node.value("file", ""),
                                         .line = node.value("line", 0U),
                                         .column = node.value("column", 0U),
                                         .function = node.value("function", ""),
                                         .text = node.value("text", "")},
                               .is_reached = node.value("reached", false)};
  });
  read_list(source, "edges", &graph.edges, [](const json& edge) {
    return ReportedGraph::Edge{.from = edge.value("from", size_t{0}),
                               .to = edge.value("to", size_t{0}),
                               .is_reached = edge.value("reached", false)};
  });
  return graph;
}

// What read_report() puts where it belongs; the rest is the command's own.
constexpr std::array kOfReport = {"heddle",
                                  "command",
                                  "seconds",
                                  "executions",
                                  "learning_executions",
                                  "blocked_executions",
                                  "complete",
                                  "findings",
                                  "root",
                                  "verdict",
                                  "error",
                                  "interrupted",
                                  "base",
                                  "head",
                                  "tested",
                                  "changed_files",
                                  "change_graph",
                                  "over_time",
                                  "stages",
                                  "notes"};

Report from_json(const json& source) {
  Report report{.result = read_run_result(source),
                .root = source.value("root", ""),
                .verdict = source.value("verdict", ""),
                .error = source.value("error", ""),
                .is_interrupted = source.value("interrupted", false),
                .base = read_revision(source, "base"),
                .head = read_revision(source, "head"),
                .tests = {},
                .change = {},
                .graph = std::nullopt,
                .counts = {},
                .stages = {},
                .notes = read_values<std::string>(source, "notes")};
  read_list(source, "tested", &report.tests, read_test);
  read_list(source, "changed_files", &report.change, read_file);
  if (const auto graph = source.find("change_graph"); graph != source.end())
    report.graph = read_graph(*graph);
  read_list(source, "over_time", &report.counts, [](const json& count) {
    return ReportedCount{.seconds = count.value("seconds", 0.0),
                         .executions = count.value("executions", uint64_t{0}),
                         .findings = count.value("findings", uint64_t{0}),
                         .coverage = count.value("coverage", uint64_t{0})};
  });
  read_list(source, "stages", &report.stages, [](const json& stage) {
    return ReportedStage{.name = stage.value("name", ""), .seconds = stage.value("seconds", 0.0)};
  });
  for (const char* name : kOfReport) report.result.own.erase(name);
  return report;
}

}  // namespace

const char* to_text(TestFate fate) {
  for (const auto& [known, name] : kFates)
    if (known == fate) return name;
  return "";
}

ordered_json to_json(const Report& report) {
  ordered_json result = to_json(report.result);
  if (!report.root.empty()) result["root"] = report.root;
  if (!report.verdict.empty()) result["verdict"] = report.verdict;
  if (!report.error.empty()) result["error"] = report.error;
  if (report.is_interrupted) result["interrupted"] = true;
  if (report.base) result["base"] = revision_to_json(*report.base);
  if (report.head) result["head"] = revision_to_json(*report.head);
  add_list(result, "tested", report.tests, test_to_json);
  add_list(result, "changed_files", report.change, file_to_json);
  if (report.graph) result["change_graph"] = graph_to_json(*report.graph);
  add_list(result, "over_time", report.counts, [](const ReportedCount& count) {
    return ordered_json{{"seconds", count.seconds},
                        {"executions", count.executions},
                        {"findings", count.findings},
                        {"coverage", count.coverage}};
  });
  add_list(result, "stages", report.stages, [](const ReportedStage& stage) {
    return ordered_json{{"name", stage.name}, {"seconds", stage.seconds}};
  });
  if (!report.notes.empty()) result["notes"] = report.notes;
  return result;
}

Expected<Report> read_report(const json& source) {
  if (!source.is_object() || !source.contains("heddle") || !source.contains("findings"))
    return usage_error("it has no `heddle` and no `findings`");
  try {
    return from_json(source);
  } catch (const json::exception& error) {
    return usage_error(error.what());
  }
}

}  // namespace heddle
