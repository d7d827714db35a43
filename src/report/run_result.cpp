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

// Paths and messages come from the program under test and need not be UTF-8.
std::string dump(const ordered_json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

}  // namespace

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
