// What the runtime tells of races: the table, the outcome, and the report of drop-in use.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <sys/wait.h>

#include "execute/fork_server.h"
#include "trace/layout.h"
#include "trace/variable_key.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::OutcomeKind;
namespace request_flag = trace::request_flag;

Execution run(const char* program, uint32_t flags, std::vector<std::string> arguments = {}) {
  static std::vector<ForkServer> servers;  // executions look into their server's arena
  arguments.insert(arguments.begin(), std::string(HEDDLE_RACE_PROGRAMS) + "/" + program);
  Expected<ForkServer> server = ForkServer::start({.argv = std::move(arguments)});
  EXPECT_TRUE(server) << server.error().message;
  servers.push_back(std::move(*server));
  ExecutionRequest request;
  request.policy = {.kind = trace::PolicyKind::kNonpreemptive};
  request.flags = flags;
  Expected<Execution> execution = servers.back().run(request);
  EXPECT_TRUE(execution) << execution.error().message;
  return std::move(*execution);
}

TEST(RaceDetection, ListsBothSidesWithTheirPlaces) {
  const Execution execution = run("racy", request_flag::kDetectRaces | request_flag::kRecordEvents);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kRace);
  ASSERT_EQ(execution.trace.races().size(), 1u);
  const trace::RaceRecord& race = execution.trace.races()[0];
  EXPECT_EQ(race.first.kind, EventKind::kWrite);
  EXPECT_EQ(race.first.thread, 1u);
  EXPECT_EQ(race.first.size, 4u);
  EXPECT_EQ(race.second.kind, EventKind::kRead);
  EXPECT_EQ(race.second.thread, 2u);
  EXPECT_EQ(race.first.offset, race.second.offset);
  EXPECT_NE(race.first.site, race.second.site);
  EXPECT_NE(race.first.context, 0u);
  ASSERT_NE(race.second.event, 0u);
  EXPECT_EQ(execution.trace.events()[race.second.event - 1].site, race.second.site);
  EXPECT_EQ(execution.outcome.site, race.second.site);
}

TEST(RaceDetection, ListsAPairOfPlacesOnceForEachVariable) {
  const Execution execution = run("racy_variables", request_flag::kDetectRaces);
  // By the one site that all of a function's races have in common.
  std::map<uint32_t, size_t> count;
  for (const trace::RaceRecord& race : execution.trace.races()) ++count[race.second.site];
  std::multiset<size_t> counts;
  for (const auto& [site, races] : count) counts.insert(races);
  EXPECT_EQ(counts, (std::multiset<size_t>{1, 2, trace::kMostVariablesAtSites}));
}

TEST(RaceDetection, IsOffUnlessAskedFor) {
  const Execution execution = run("racy", request_flag::kRecordEvents);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
  EXPECT_TRUE(execution.trace.races().empty());
}

TEST(RaceDetection, LeavesTheOutcomeToAFailureOfTheProgram) {
  const Execution execution = run("racy", request_flag::kDetectRaces, {"abort"});
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kCrash);
  EXPECT_EQ(execution.trace.races().size(), 1u);
}

size_t accesses(const Execution& execution) {
  size_t count = 0;
  for (const trace::EventRecord& event : execution.trace.events())
    count += event.kind == EventKind::kWrite || event.kind == EventKind::kRead;
  return count;
}

TEST(RecordShared, RecordsWhatEveryThreadKnowsOf) {
  const Execution usual = run("known_to_all", request_flag::kRecordEvents);
  const Execution shared = run("known_to_all", request_flag::kRecordEvents | request_flag::kRecordShared);
  EXPECT_LT(accesses(usual), accesses(shared));
}

struct DropIn {
  int status;
  std::string err;
};

DropIn run_alone(const std::string& environment, const std::string& program = "racy") {
  const std::string command = "LD_LIBRARY_PATH=" HEDDLE_RACE_RUNTIME " " + environment +
                              " " HEDDLE_RACE_PROGRAMS "/" + program + " 2>&1";
  DropIn result{};
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.err.append(buffer.data(), n);
  result.status = WEXITSTATUS(::pclose(pipe));
  return result;
}

TEST(DropInUse, TellsARaceAsThreadSanitizerDoes) {
  const DropIn result = run_alone("");
  EXPECT_EQ(result.status, 66);
  for (const char* part :
       {"WARNING: ThreadSanitizer: data race (pid=", "Read of size 4 at 0x", " by thread T2:", "#0 read_it ",
        "Previous write of size 4", "#0 write_it ", "Location is global 'counter'",
        "Thread T1 (tid=", "SUMMARY: ThreadSanitizer: data race "}) {
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " is missing in\n" << result.err;
  }
}

TEST(DropInUse, TellsOffsetsWithoutTheTool) {
  const DropIn result = run_alone("HEDDLE_TOOL=/nowhere");
  EXPECT_EQ(result.status, 66);
  EXPECT_NE(result.err.find("#0 <null> <null> (racy+0x"), std::string::npos) << result.err;
}

TEST(DropInUse, HonoursOptionsOfThreadSanitizer) {
  EXPECT_EQ(run_alone("TSAN_OPTIONS=exitcode=0").status, 0);
  EXPECT_EQ(run_alone("TSAN_OPTIONS=halt_on_error=1:exitcode=7").status, 7);
  const DropIn silent = run_alone("TSAN_OPTIONS='report_bugs=0 exitcode=9'");
  EXPECT_EQ(silent.status, 0);
  EXPECT_EQ(silent.err, "");
  EXPECT_EQ(run_alone("HEDDLE_OPTIONS=detect_races=0").status, 0);
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string write_file(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

TEST(RaceDetection, ListsAPairOfSitesForEachOfItsCallers) {
  const Execution execution = run("two_callers", request_flag::kDetectRaces);
  std::map<std::pair<uint32_t, uint32_t>, std::set<std::pair<uint32_t, uint32_t>>> contexts;  // by sites
  for (const trace::RaceRecord& race : execution.trace.races()) {
    const bool is_new = contexts[{race.first.site, race.second.site}]
                            .insert({race.first.context, race.second.context})
                            .second;
    EXPECT_TRUE(is_new) << "listed twice";
  }
  ASSERT_FALSE(contexts.empty());
  for (const auto& [sites, callers] : contexts) EXPECT_EQ(callers.size(), 2u);
}

TEST(DropInUse, ASuppressedRaceDoesNotHideAnother) {
  const std::string list = write_file(testing::TempDir() + "known.supp", "race:known\n");
  const DropIn result = run_alone("TSAN_OPTIONS=suppressions=" + list, "two_callers");
  EXPECT_EQ(result.status, 66);
  EXPECT_NE(result.err.find(" fresh "), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(" known "), std::string::npos) << result.err;
  const DropIn both = run_alone(
      "TSAN_OPTIONS=suppressions=" + write_file(testing::TempDir() + "both.supp", "race:known\nrace:fresh\n"),
      "two_callers");
  EXPECT_EQ(both.status, 0);
  EXPECT_EQ(both.err, "");
}

TEST(DropInUse, ReadsOptionsAsThreadSanitizerDoes) {
  const std::string list = write_file(testing::TempDir() + "races, of: old.supp", "race:read_it\n");
  for (const std::string quote : {"\"", "'"}) {
    const std::string options = "exitcode=5,\r\tsuppressions=" + quote + list + quote + "\nreport_bugs=1";
    const std::string shell_quote = quote == "'" ? "\"" : "'";
    const DropIn result = run_alone("TSAN_OPTIONS=" + shell_quote + options + shell_quote);
    EXPECT_EQ(result.status, 0) << options;
    EXPECT_EQ(result.err, "");
  }
  EXPECT_EQ(run_alone("TSAN_OPTIONS=suppressions='" + list + "':suppressions=").status, 66)
      << "what comes later has precedence";
}

TEST(DropInUse, FindsSuppressionsBesideTheProgram) {
  write_file(HEDDLE_RACE_PROGRAMS "/racy.supp", "race:read_it\n");
  EXPECT_EQ(run_alone("TSAN_OPTIONS=suppressions=racy.supp").status, 0);
}

TEST(DropInUse, AsksTheProgramForOptionsAndSuppressions) {
  const DropIn result = run_alone("", "own_options");
  EXPECT_EQ(result.status, 9);
  EXPECT_EQ(result.err.find(" known "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" fresh "), std::string::npos) << result.err;
  EXPECT_EQ(count_of(result.err, "ThreadSanitizer: Matched "), 1u) << result.err;
  EXPECT_NE(result.err.find(" race:known\n"), std::string::npos) << result.err;
  EXPECT_EQ(run_alone("TSAN_OPTIONS=exitcode=5", "own_options").status, 5);
}

TEST(DropInUse, KeepsLittleOfWhatTheProgramFrees) {
  const DropIn result = run_alone("", "many_frees");
  EXPECT_LE(result.status, 1) << "megabytes, of 60";
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace heddle
