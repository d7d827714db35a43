#include "report/run_result.h"

#include "trace/atomic_file.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

const char* text(Confirmation confirmation) {
  switch (confirmation) {
    case Confirmation::kExecuted:
      return "executed";
    case Confirmation::kHarmful:
      return "harmful";
    case Confirmation::kBenign:
      return "benign";
    case Confirmation::kNotReproduced:
      return "not-reproduced";
    case Confirmation::kPredicted:
      return "predicted";
  }
  return "executed";
}

const char* text(FindingStatus status) {
  switch (status) {
    case FindingStatus::kUnknown:
      return "unknown";
    case FindingStatus::kNew:
      return "new";
    case FindingStatus::kKnown:
      return "known";
  }
  return "unknown";
}

template <typename Enum>
Enum enum_of(const std::string& name, std::initializer_list<Enum> values, Enum otherwise) {
  for (const Enum value : values)
    if (name == text(value)) return value;
  return otherwise;
}

template <typename Number>
std::optional<Number> number_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::nullopt;
  return found->get<Number>();
}

Finding read_finding(const nlohmann::json& json) {
  using enum Confirmation;
  Finding finding;
  finding.kind = json.value("kind", "");
  finding.fingerprint = json.value("fingerprint", "");
  finding.message = json.value("message", "");
  finding.confirmed = json.value("confirmed", true);
  finding.confirmation = enum_of(json.value("confirmation", ""),
                                 {kExecuted, kHarmful, kBenign, kNotReproduced, kPredicted}, kExecuted);
  finding.confirmed_earlier = json.value("confirmed_earlier", false);
  finding.status = enum_of(json.value("status", ""), {FindingStatus::kNew, FindingStatus::kKnown},
                           FindingStatus::kUnknown);
  finding.tests = json.value("tests", std::vector<std::string>());
  if (finding.tests.empty() && json.contains("test")) finding.tests.push_back(json["test"]);
  finding.words = json.value("words", std::vector<std::string>());
  finding.executions_to_find = number_of<uint64_t>(json, "executions_to_find");
  finding.occurrences = number_of<uint64_t>(json, "occurrences");
  finding.seed = number_of<uint64_t>(json, "seed");
  finding.pattern = number_of<uint32_t>(json, "pattern");
  for (const nlohmann::json& site : json.value("sites", nlohmann::json::array()))
    finding.sites.push_back({site.value("file", ""), site.value("line", 0U), site.value("column", 0U),
                             site.value("function", "")});
  finding.threads = json.value("threads", std::vector<std::string>());
  finding.schedule = json.value("schedule", "");
  return finding;
}

}  // namespace

const char* heddle_version() {
  return HEDDLE_VERSION;
}

// Paths and messages come from the program under test and need not be UTF-8.
std::string dump(const ordered_json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

RunResult read_run_result(const nlohmann::json& json) {
  RunResult result;
  result.command = json.value("command", "");
  result.seconds = json.value("seconds", 0.0);
  result.executions = json.value("executions", uint64_t{0});
  result.learning_executions = number_of<uint64_t>(json, "learning_executions");
  result.blocked_executions = number_of<uint64_t>(json, "blocked_executions");
  result.complete = json.value("complete", false);
  for (const nlohmann::json& finding : json.value("findings", nlohmann::json::array()))
    result.findings.push_back(read_finding(finding));
  result.own = json;
  return result;
}

ordered_json to_json(const Finding& finding) {
  ordered_json sites = ordered_json::array();
  for (const FindingSite& site : finding.sites) {
    sites.push_back(
        {{"file", site.file}, {"line", site.line}, {"column", site.column}, {"function", site.function}});
  }
  ordered_json json = {{"kind", finding.kind},
                       {"fingerprint", finding.fingerprint},
                       {"message", finding.message},
                       {"confirmed", finding.confirmed},
                       {"confirmation", text(finding.confirmation)},
                       {"status", text(finding.status)}};
  if (!finding.tests.empty()) json["test"] = finding.tests.front();
  if (finding.tests.size() > 1) json["tests"] = finding.tests;
  if (!finding.words.empty()) json["words"] = finding.words;
  if (finding.confirmed_earlier) json["confirmed_earlier"] = true;
  if (finding.executions_to_find) json["executions_to_find"] = *finding.executions_to_find;
  if (finding.occurrences) json["occurrences"] = *finding.occurrences;
  if (finding.seed) json["seed"] = *finding.seed;
  if (finding.pattern) json["pattern"] = *finding.pattern;
  json["sites"] = std::move(sites);
  json["threads"] = finding.threads;
  if (!finding.schedule.empty()) json["schedule"] = finding.schedule;
  return json;
}

ordered_json to_json(const RunResult& result) {
  ordered_json json = {{"heddle", HEDDLE_VERSION},
                       {"command", result.command},
                       {"seconds", result.seconds},
                       {"executions", result.executions}};
  if (result.learning_executions) json["learning_executions"] = *result.learning_executions;
  if (result.blocked_executions) json["blocked_executions"] = *result.blocked_executions;
  json["complete"] = result.complete;
  json["findings"] = ordered_json::array();
  for (const Finding& finding : result.findings) json["findings"].push_back(to_json(finding));
  json.update(result.own);
  return json;
}

Expected<void> write_json(const std::string& path, const RunResult& result) {
  return write_json(path, to_json(result));
}

Expected<void> write_json(const std::string& path, const ordered_json& json) {
  Expected<trace::AtomicFile> file = trace::AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  Expected<void> written = file->write(dump(json) + '\n');
  return written ? file->commit() : written;
}

}  // namespace heddle
