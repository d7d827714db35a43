#include "cli/interact_report.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "change/readable_text.h"
#include "interact/campaign/input_text.h"
#include "report/text.h"

namespace heddle {
namespace {

using interact::KeptInput;
using interact::StatementIndex;
using Json = nlohmann::ordered_json;

constexpr size_t kMostOfStatement = 90;  // columns

const char* class_of(const KeptInput& kept) {
  switch (interact::gravest(kept.judgements)) {
    case interact::Judgement::kDifference:
      return "difference";
    case interact::Judgement::kError:
      return "error";
    case interact::Judgement::kRegression:
      return "regression";
    case interact::Judgement::kProgression:
      return "progression";
    case interact::Judgement::kIncompleteFix:
      return "incomplete-fix";
  }
  return "difference";
}

const char* name_of(interact::Judgement judgement) {
  KeptInput one;
  one.judgements = {judgement};
  return class_of(one);
}

const char* name_of(interact::Tier tier) {
  return tier == interact::Tier::kFast ? "fast" : "symbolic";
}

// The change interaction error that an input shows.
std::optional<size_t> interaction_error_of(const InteractStory& story, const KeptInput& kept) {
  const std::vector<interact::InteractionError>& errors = story.result.interaction_errors;
  for (size_t i = 0; i < errors.size(); ++i)
    if (std::find(kept.failures.begin(), kept.failures.end(), errors[i].failure) != kept.failures.end())
      return i;
  return {};
}

Json to_json(const interact::ProgramGraph& graph, StatementIndex index) {
  const interact::ProgramStatement& statement = graph.statements[index];
  return {{"file", statement.file},
          {"line", statement.range.first_line},
          {"column", statement.range.first_column},
          {"function", statement.function},
          {"text", readable_text(statement.text)}};
}

Json to_json(const interact::ProgramGraph& graph, const std::vector<StatementIndex>& statements) {
  Json json = Json::array();
  for (const StatementIndex statement : statements) json.push_back(to_json(graph, statement));
  return json;
}

Json to_json(const interact::Behaviour& behaviour) {
  Json json = {{"stdout", behaviour.out}, {"stderr", behaviour.err}, {"exit_code", behaviour.exit_code}};
  if (behaviour.signal != 0) json["signal"] = behaviour.signal;
  if (behaviour.timed_out) json["timed_out"] = true;
  if (!behaviour.report.empty()) json["report"] = behaviour.report;
  return json;
}

Json to_json(const InteractStory& story, size_t index) {
  const KeptInput& kept = story.result.kept[index];
  const std::optional<size_t> error = interaction_error_of(story, kept);
  Json aspects = Json::array(), golden = Json::array(), failures = Json::array();
  for (const interact::Aspect aspect : kept.differing.aspects) aspects.push_back(interact::name_of(aspect));
  for (size_t g = 0; g < story.versions.golden.size() && g < kept.judgements.size(); ++g)
    golden.push_back(
        {{"version", story.versions.golden[g].revision.name}, {"class", name_of(kept.judgements[g])}});
  for (const uint32_t failure : kept.failures) failures.push_back(story.result.failures[failure]);
  Json json = {{"args", kept.differing.input.arguments},
               {"stdin", kept.differing.input.standard_input},
               {"file", kept.differing.input.file},
               {"class", class_of(kept)},
               {"differs_in", aspects},
               {"sequence", to_json(story.versions.graph, kept.sequence)},
               {"interaction_error", error ? Json(*error) : Json()},
               {"failures", failures},
               {"base", to_json(kept.differing.base)},
               {"head", to_json(kept.differing.head)},
               {"tier", name_of(kept.tier)},
               {"found_at_execution", kept.found_at_execution},
               {"found_at_solver_call", kept.found_at_solver_call},
               {"found_at_cpu_seconds", kept.found_at_cpu.count()},
               {"command", interact::command_line(kept.differing.input, story.program)}};
  if (!golden.empty()) json["golden"] = golden;
  if (!story.tests[index].empty()) json["test"] = story.tests[index];
  return json;
}

struct NodeCounts {
  size_t changes = 0;
  size_t interactions = 0;
  size_t outputs = 0;
};

NodeCounts count_nodes(const interact::ChangeGraph& graph) {
  NodeCounts counts;
  for (const interact::ChangeNode& node : graph.nodes) {
    counts.changes += node.kind == interact::ChangeNode::Kind::kChange;
    counts.interactions += node.kind == interact::ChangeNode::Kind::kInteraction;
    counts.outputs += node.kind == interact::ChangeNode::Kind::kOutput;
  }
  return counts;
}

const char* kind_of(const interact::Behaviour& head, const interact::Behaviour& base) {
  if (head.signal != 0 || !head.report.empty()) {
    if (head.report.find("use-after-free") != std::string::npos) return "use-after-free";
    if (head.report.find("ssertion") != std::string::npos) return "assertion";
    if (base.signal != head.signal || base.report != head.report) return "crash";
  }
  if (head.timed_out && !base.timed_out) return "livelock";
  return "output-difference";
}

// Of changed statements that several inputs have in common, the order does not matter to a reader's eye, so
// the sequence is told once, above its inputs.
std::string tell_sequence(const interact::ProgramGraph& graph, const std::vector<StatementIndex>& sequence) {
  if (sequence.empty()) return "Without executing a changed statement:\n";
  std::string text = "After executing\n";
  for (const StatementIndex statement : sequence) text += "    " + statement_text(graph, statement) + "\n";
  return text;
}

std::string tell_input(const InteractStory& story, size_t index) {
  const KeptInput& kept = story.result.kept[index];
  std::string text = fmt::format("  {}: {}\n", class_of(kept),
                                 printable(interact::command_line(kept.differing.input, story.program)));
  if (!kept.differing.input.file.empty())
    text += fmt::format("      with a file of '{}'\n", interact::printf_format(kept.differing.input.file));
  const std::vector<interact::Aspect>& aspects = kept.differing.aspects;
  text += fmt::format("      base:  {}\n", describe(kept.differing.base, aspects));
  text += fmt::format("      head:  {}\n", describe(kept.differing.head, aspects));
  for (size_t g = 0; g < story.versions.golden.size() && g < kept.differing.golden.size(); ++g)
    if (kept.judgements[g] != interact::Judgement::kDifference)
      text += fmt::format("      {}:  {} ({})\n", story.versions.golden[g].revision.name,
                          describe(kept.differing.golden[g], aspects), name_of(kept.judgements[g]));
  if (!story.tests[index].empty()) text += fmt::format("      test:  {}\n", story.tests[index]);
  return text;
}

}  // namespace

std::string statement_text(const interact::ProgramGraph& graph, StatementIndex index) {
  const interact::ProgramStatement& statement = graph.statements[index];
  return fmt::format("{}:{}  `{}`", statement.file, statement.range.first_line,
                     cut_text(printable(readable_text(statement.text)), kMostOfStatement));
}

std::string summarize_graph(const interact::ProgramGraph& graph) {
  const NodeCounts counts = count_nodes(graph.graph);
  return fmt::format("{}, {}, {}; --graph shows them", count_of(counts.changes, "change"),
                     count_of(counts.interactions, "interaction location"),
                     count_of(counts.outputs, "output"));
}

std::string tell_kept(const InteractStory& story) {
  std::map<std::vector<StatementIndex>, std::vector<size_t>> by_sequence;
  std::vector<const std::vector<StatementIndex>*> order;
  for (size_t i = 0; i < story.result.kept.size(); ++i) {
    std::vector<size_t>& inputs = by_sequence[story.result.kept[i].sequence];
    if (inputs.empty()) order.push_back(&story.result.kept[i].sequence);
    inputs.push_back(i);
  }
  std::string text;
  for (const std::vector<StatementIndex>* sequence : order) {
    text += tell_sequence(story.versions.graph, *sequence);
    for (const size_t input : by_sequence[*sequence]) text += tell_input(story, input);
    text += "\n";
  }
  return text;
}

std::string tell_found(const KeptInput& kept, const std::string& program, double seconds) {
  return fmt::format("{} after {:.1f} s ({}): {}", class_of(kept), seconds, name_of(kept.tier),
                     printable(interact::command_line(kept.differing.input, program)));
}

std::string tell_interaction_errors(const InteractStory& story) {
  std::string text;
  for (const interact::InteractionError& error : story.result.interaction_errors) {
    text += fmt::format("change interaction error ({}): it takes all of these changes{}\n",
                        story.result.failures[error.failure], error.is_ordered ? ", in this order" : "");
    for (size_t i = 0; i < error.critical.size(); ++i)
      text += fmt::format(
          "    {}. {}\n       {}\n", i + 1, statement_text(story.versions.graph, error.critical[i]),
          error.skipping[i] == 0
              ? "all inputs that were tried execute it"
              : fmt::format("none of {} that skip it fails", count_of(error.skipping[i], "input")));
    text +=
        fmt::format("  They meet in {}. {} that execute them {}.\n\n",
                    error.locations.empty() ? "no single statement"
                                            : statement_text(story.versions.graph, error.locations.front()),
                    count_of(error.failing, "input"), error.failing == 1 ? "fails" : "fail");
  }
  return text;
}

std::string summarize(const InteractStory& story) {
  const interact::CampaignResult& result = story.result;
  std::map<std::string, size_t> classes;
  for (const KeptInput& kept : result.kept) ++classes[class_of(kept)];
  std::vector<std::string> words;
  for (const auto& [name, count] : classes)
    words.push_back(fmt::format("{} {}{}", count, name,
                                count == 1                 ? ""
                                : name == "incomplete-fix" ? "es"
                                                           : "s"));
  return fmt::format("{} tried, {} differ, kept: {}; {}{}", count_of(result.inputs_tried, "input"),
                     result.inputs_differing, words.empty() ? "none" : join_words(words),
                     count_of(result.interaction_errors.size(), "change interaction error"),
                     result.inputs_unstable == 0 ? ""
                                                 : fmt::format("; {} differ from themselves and are left out",
                                                               count_of(result.inputs_unstable, "input")));
}

std::vector<Finding> findings_of(const InteractStory& story) {
  std::vector<Finding> findings;
  for (size_t i = 0; i < story.result.kept.size(); ++i) {
    const KeptInput& kept = story.result.kept[i];
    if (interact::gravest(kept.judgements) == interact::Judgement::kProgression) continue;
    Finding finding;
    finding.kind = kind_of(kept.differing.head, kept.differing.base);
    for (const uint32_t failure : kept.failures) finding.identity.push_back(story.result.failures[failure]);
    for (const StatementIndex index : kept.sequence) {
      const interact::ProgramStatement& statement = story.versions.graph.statements[index];
      finding.identity.push_back(statement.function + ": " + statement.text);
      finding.sites.push_back(
          {statement.file, statement.range.first_line, statement.range.first_column, statement.function});
    }
    finding.fingerprint = fingerprint(finding.kind, finding.identity);
    finding.message = fmt::format("{}: `{}` gives {}, in the base {}", class_of(kept),
                                  printable(interact::command_line(kept.differing.input, story.program)),
                                  describe(kept.differing.head, kept.differing.aspects),
                                  describe(kept.differing.base, kept.differing.aspects));
    finding.status = FindingStatus::kNew;
    finding.executions_to_find = kept.found_at_execution;
    findings.push_back(std::move(finding));
  }
  return findings;
}

Json own_fields(const InteractStory& story) {
  const interact::CampaignResult& result = story.result;
  const interact::ChangeGraph& graph = story.versions.graph.graph;
  const NodeCounts counts = count_nodes(graph);
  Json differences = Json::array(), errors = Json::array();
  for (size_t i = 0; i < result.kept.size(); ++i) differences.push_back(to_json(story, i));
  for (const interact::InteractionError& error : result.interaction_errors)
    errors.push_back({{"failure", result.failures[error.failure]},
                      {"critical", to_json(story.versions.graph, error.critical)},
                      {"is_ordered", error.is_ordered},
                      {"locations", to_json(story.versions.graph, error.locations)},
                      {"inputs_skipping", error.skipping},
                      {"inputs_failing", error.failing}});
  return {{"graph",
           {{"changes", counts.changes},
            {"interactions", counts.interactions},
            {"outputs", counts.outputs},
            {"edges", graph.edges.size()},
            {"edges_reached", result.reached_edges}}},
          {"differences", differences},
          {"interaction_errors", errors},
          {"changes_not_executed", to_json(story.versions.graph, result.not_executed)},
          {"inputs",
           {{"tried", result.inputs_tried},
            {"differing", result.inputs_differing},
            {"failing", result.inputs_failing},
            {"unstable", result.inputs_unstable},
            {"on_critical_sequences", result.on_critical_sequences},
            {"failing_on_critical_sequences", result.failing_on_critical_sequences}}},
          {"fast",
           {{"inputs", result.fast.executions},
            {"in_processes", result.fast.in_processes},
            {"seconds", result.fast.seconds.count()},
            {"corpus", result.fast.corpus},
            {"code_edges_reached", result.fast.edges},
            {"lost_hosts", result.fast.lost_hosts}}},
          {"solver_calls", result.search.solver.solver_calls},
          {"solver_seconds", std::chrono::duration<double>(result.search.solver.solver_time).count()},
          {"predicted", result.search.predicted},
          {"not_as_predicted", result.search.elsewhere},
          {"open_states", result.search.open_states}};
}

}  // namespace heddle
