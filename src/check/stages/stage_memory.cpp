#include "check/stages/stage_memory.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/record_keeper.h"
#include "execute/fork_server.h"
#include "support/interruption.h"
#include "trace/hash.h"

namespace heddle {
namespace {

using Json = nlohmann::json;

// No budget is as large: there is nothing left to do.
constexpr std::chrono::milliseconds kToItsEnd{int64_t{1} << 50};

Json to_kept(const CheckFinding& finding) {
  const Finding& told = finding.found.finding;
  Json sites = Json::array();
  for (const FindingSite& site : told.sites)
    sites.push_back({site.file, site.line, site.column, site.function});
  Json json = {{"kind", told.kind},
               {"fingerprint", told.fingerprint},
               {"identity", told.identity},
               {"message", told.message},
               {"confirmation", static_cast<int>(told.confirmation)},
               {"status", static_cast<int>(told.status)},
               {"sites", sites},
               {"threads", told.threads},
               {"words", told.words},
               {"tests", finding.tests},
               {"sameness", finding.found.sameness}};
  if (told.executions_to_find) json["executions_to_find"] = *told.executions_to_find;
  if (told.pattern) json["pattern"] = *told.pattern;
  if (!finding.found.schedule.command.empty())
    json["schedule"] = trace::print_schedule(finding.found.schedule);
  return json;
}

CheckFinding from_kept(const Json& json) {
  CheckFinding finding;
  finding.tests = json.at("tests").get<std::vector<std::string>>();
  finding.found.sameness = json.at("sameness").get<std::string>();
  Finding& told = finding.found.finding;
  told.kind = json.at("kind").get<std::string>();
  told.fingerprint = json.at("fingerprint").get<std::string>();
  told.identity = json.at("identity").get<std::vector<std::string>>();
  told.message = json.at("message").get<std::string>();
  told.confirmation = static_cast<Confirmation>(json.at("confirmation").get<int>());
  told.status = static_cast<FindingStatus>(json.at("status").get<int>());
  for (const Json& site : json.at("sites"))
    told.sites.push_back({.file = site.at(0).get<std::string>(),
                          .line = site.at(1).get<uint32_t>(),
                          .column = site.at(2).get<uint32_t>(),
                          .function = site.at(3).get<std::string>()});
  told.threads = json.at("threads").get<std::vector<std::string>>();
  told.words = json.at("words").get<std::vector<std::string>>();
  if (json.contains("executions_to_find"))
    told.executions_to_find = json.at("executions_to_find").get<uint64_t>();
  if (json.contains("pattern")) told.pattern = json.at("pattern").get<uint32_t>();
  told.confirmed_earlier = true;
  return finding;
}

// Executes the schedule, so that there is something to show. False: it cannot be.
bool execute(const SuiteTest* test, const trace::Schedule& schedule, std::chrono::milliseconds timeout,
             CheckFinding* finding) {
  const TestCommand command =
      test != nullptr
          ? test->command
          : TestCommand{.argv = schedule.command, .directory = schedule.directory, .environment = {}};
  Expected<ForkServer> server = ForkServer::start(command);
  if (!server) return false;
  if (!schedule.build_id.empty() && server->binary().build_id != schedule.build_id) return false;
  server->add_points(schedule.points);
  using namespace trace::request_flag;
  ExecutionRequest request;
  request.schedule = &schedule;
  request.policy = schedule.then;
  request.flags = kRecordEvents | kRecordChoices | kRecordShared;
  if (!schedule.spin_parking) request.flags |= kNoSpinParking;
  if (schedule.detects_races) request.flags |= kDetectRaces;
  request.max_steps = schedule.max_steps;
  request.timeout = timeout;
  Expected<Execution> execution = server->run(request);
  if (!execution || execution->outcome.diverged_step != 0) return false;
  finding->found.has_example = execution->failed();
  finding->found.schedule = schedule;
  finding->found.execution = std::move(*execution);
  finding->found.execution.trace = finding->found.execution.trace.clone();
  finding->found.execution.learned = {};
  return true;
}

}  // namespace

StageMemory::StageMemory(CheckState& state, std::string stage, uint64_t settings)
    : state_(state), stage_(std::move(stage)), settings_(settings) {}

uint64_t StageMemory::key_of(const std::string& thing, const SuiteTest* test) const {
  const ProjectBuild& head = state_.result.head_build;
  const uint64_t command = test == nullptr ? 0 : command_key(*test, head.source, head.folder);
  return trace::fnv1a(fmt::format("{:x} {:x} {:x} {:x} {}", state_.result.base_build.revision.content,
                                  head.revision.content, command, settings_, thing));
}

bool StageMemory::recall(const std::string& thing, const SuiteTest* test, Json* more) {
  if (state_.options.again) return false;
  const Expected<std::optional<std::string>> text =
      state_.history.load_work(stage_, key_of(thing, test), state_.options.budget);
  if (!text || !*text) return false;
  const Json kept = Json::parse(**text, nullptr, /*allow_exceptions=*/false);
  if (!kept.is_object() || !kept.contains("findings") || !kept.contains("more")) return false;
  std::vector<CheckFinding> findings;
  for (const Json& one : kept["findings"]) {
    CheckFinding finding;
    try {
      finding = from_kept(one);
    } catch (const Json::exception&) {
      return false;
    }
    if (one.contains("schedule")) {
      const Expected<trace::Schedule> schedule =
          trace::parse_schedule(one["schedule"].get<std::string>(), "a kept schedule");
      if (!schedule || !execute(test, *schedule, state_.project.test_timeout, &finding)) return false;
      ++state_.result.executions;
    }
    findings.push_back(std::move(finding));
  }
  for (CheckFinding& finding : findings) {
    const bool is_there = std::ranges::any_of(state_.result.findings, [&](const CheckFinding& other) {
      return other.found.finding.fingerprint == finding.found.finding.fingerprint ||
             other.found.sameness == finding.found.sameness;
    });
    if (!is_there) state_.result.findings.push_back(std::move(finding));
  }
  if (more != nullptr) *more = kept["more"];
  return true;
}

void StageMemory::keep(const std::string& thing, const SuiteTest* test, size_t before, bool is_complete,
                       const Json& more) {
  if (was_interrupted() || !state_.result.not_kept.empty()) return;
  Json kept = {{"findings", Json::array()}, {"more", more}};
  for (size_t i = before; i < state_.result.findings.size(); ++i)
    kept["findings"].push_back(to_kept(state_.result.findings[i]));
  const Expected<void> saved =
      state_.history.save_work(stage_, key_of(thing, test), is_complete ? kToItsEnd : state_.options.budget,
                               kept.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (!saved) state_.result.not_kept = saved.error().message;
}

}  // namespace heddle
