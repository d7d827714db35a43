// The reporters on hand-written reports: golden files, what the formats demand, and text from outside.
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "golden.h"
#include "json_schema.h"
#include "report/finding_kinds.h"
#include "report/reporter.h"
#include "report/writers.h"
#include "sample_traces.h"
#include "trace/names.h"

namespace heddle {
namespace {

const ChangedLines kChanged = {{"bank.cpp", {18, 19}}};

Finding told_finding(const trace::Trace& trace) {
  FakeSymbolizer symbolizer = bank_symbols();
  ReportContext context(trace, symbolizer);
  context.sources.provide("bank.cpp", bank_source());
  const FailureStory story = *tell_failure(context);
  Finding finding = make_finding(context, story);
  finding.evidence = std::make_shared<const Evidence>(make_evidence(
      context, story, {.directory = {}, .scope = {.root = {}, .changed = &kChanged}, .wants_flow = true}));
  return finding;
}

Finding suspicion(const std::string& fingerprint) {
  Finding finding;
  finding.kind = "race";
  finding.fingerprint = fingerprint;
  finding.message = "100% of `a:b,c` <&\"'>";
  finding.confirmation = Confirmation::kPredicted;
  finding.confirmed = false;
  finding.sites = {{"/usr/include/c++/12/mutex", 7, 0, "lock"}};
  return finding;
}

// A check that has found something of each sort.
Report sample_report() {
  Report report;
  report.result.command = "check";
  report.result.seconds = 61.25;
  report.result.executions = 420;
  Finding known = told_finding(assertion_trace());
  known.status = FindingStatus::kKnown;
  known.tests = {"deposits"};
  Finding suspected = suspicion("00000000000000aa");
  suspected.status = FindingStatus::kNew;
  Finding found = told_finding(deadlock_trace());
  found.status = FindingStatus::kNew;
  found.tests = {"audits", "deposits"};
  found.schedule = "/src/bank/.heddle/failures/heddle-deadlock.schedule";
  report.tests = {
      {.name = "audits",
       .fate = TestFate::kFailed,
       .executions = 21,
       .seconds = 1.5,
       .findings = {found.fingerprint}},
      {.name = "deposits",
       .fate = TestFate::kFailed,
       .executions = 21,
       .findings = {found.fingerprint, known.fingerprint}},
      {.name = "interest", .executions = 21, .is_complete = false},
      {.name = "names",
       .fate = TestFate::kNotSelected,
       .is_selected = false,
       .reasons = {"it has one thread"}},
      {.name = "slow", .fate = TestFate::kNotReached},
      {.name = "broken", .fate = TestFate::kUnusable, .reasons = {"there is no program <broken>"}}};
  report.result.findings = {known, suspected, found};
  report.root = "/src/bank";
  report.verdict =
      "the working tree against main: 3 of 6 tests tried in 63 executions, 2 findings new, 1 known";
  report.base = ReportedRevision{.name = "main", .commit = "6e1f"};
  report.head = ReportedRevision{.name = "the working tree", .commit = "6e1f", .is_working_tree = true};
  report.notes = {"1 test was not reached for lack of time"};
  return report;
}

Report many_findings(size_t count) {
  Report report;
  report.result.command = "detect";
  for (size_t i = 0; i < count; ++i) {
    Finding& finding = report.result.findings.emplace_back(suspicion(std::to_string(i)));
    finding.confirmation = Confirmation::kExecuted;
  }
  return report;
}

nlohmann::json sarif_schema() {
  const char* official = std::getenv("HEDDLE_SARIF_SCHEMA");
  std::ifstream file(official != nullptr ? official
                                         : HEDDLE_SCHEMA_DIRECTORY "/sarif-2.1.0-subset.schema.json");
  return nlohmann::json::parse(file);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::string with_fixed_version(std::string text) {
  const std::string version = heddle_version();
  for (size_t at; (at = text.find(version)) != std::string::npos;)
    text.replace(at, version.size(), "VERSION");
  return text;
}

TEST(SarifReport, IsAsApproved) {
  expect_golden("report.sarif", with_fixed_version(write_sarif(sample_report())));
}

TEST(SarifReport, FollowsTheSchema) {
  const nlohmann::json schema = sarif_schema();
  for (const Report& report : {sample_report(), Report(), many_findings(3)})
    EXPECT_EQ(joined(schema_errors(schema, nlohmann::json::parse(write_sarif(report)))), "");
}

TEST(SarifReport, TheSchemaRefusesWhatIsNotSarif) {
  nlohmann::json sarif = nlohmann::json::parse(write_sarif(sample_report()));
  sarif["runs"][0]["results"][0]["level"] = "fatal";
  sarif["runs"][0]["results"][1].erase("message");
  EXPECT_EQ(schema_errors(sarif_schema(), sarif).size(), 2u);
}

TEST(SarifReport, OneThreadFlowForEachThreadInTheOrderOfTheExecution) {
  const nlohmann::json sarif = nlohmann::json::parse(write_sarif(sample_report()));
  const nlohmann::json& result = sarif["runs"][0]["results"][0];
  ASSERT_EQ(result["ruleId"], "heddle/deadlock");
  const nlohmann::json& flows = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 3u);
  std::set<size_t> orders;
  for (const nlohmann::json& flow : flows) {
    size_t last = 0;
    for (const nlohmann::json& where : flow["locations"]) {
      EXPECT_GT(where["executionOrder"], last);
      last = where["executionOrder"];
      EXPECT_TRUE(orders.insert(last).second);
    }
  }
  EXPECT_EQ(*orders.rbegin(), orders.size());
}

TEST(SarifReport, KeepsTheLimitsOfGitHub) {
  const std::string sarif = write_sarif(many_findings(5'003));
  size_t results = 0;
  for (size_t at = 0; (at = sarif.find("\"ruleId\"", at)) != std::string::npos; ++at) ++results;
  EXPECT_EQ(results, 5'000u);
  EXPECT_NE(sarif.find("3 findings that weigh less are left out"), std::string::npos);
}

TEST(SarifReport, AFingerprintDoesNotDependOnLines) {
  const auto fingerprint = [](const trace::Trace& trace) {
    Report report;
    report.result.findings = {told_finding(trace)};
    return nlohmann::json::parse(write_sarif(report))["runs"][0]["results"][0]["partialFingerprints"];
  };
  EXPECT_EQ(fingerprint(deadlock_trace()), fingerprint(deadlock_trace(0, /*swapped=*/true)));
  EXPECT_NE(fingerprint(deadlock_trace()), fingerprint(assertion_trace()));
}

TEST(SarifReport, PathsAreRelativeUrisOrWhole) {
  Report report;
  report.root = "/src/my bank";
  Finding& finding = report.result.findings.emplace_back(suspicion("1"));
  finding.sites.push_back({"/src/my bank/a#1.cpp", 3, 2, "f"});
  const nlohmann::json run = nlohmann::json::parse(write_sarif(report))["runs"][0];
  EXPECT_EQ(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///src/my%20bank/");
  const nlohmann::json& result = run["results"][0];
  const nlohmann::json main = result["locations"][0]["physicalLocation"]["artifactLocation"];
  EXPECT_EQ(main, (nlohmann::json{{"uri", "a%231.cpp"}, {"uriBaseId", "%SRCROOT%"}}));
  const nlohmann::json other = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"];
  EXPECT_EQ(other, (nlohmann::json{{"uri", "file:///usr/include/c%2B%2B/12/mutex"}}));
}

TEST(JunitReport, IsAsApproved) {
  expect_golden("report.xml", with_fixed_version(write_junit(sample_report())));
}

TEST(JunitReport, WhatXmlCannotHoldIsReplaced) {
  Report report;
  report.result.command = "run";
  report.result.findings = {suspicion("1")};
  report.result.findings[0].message =
      "a\x01"
      "b\x1b[0m caf\xe9 \xef\xbf\xbf ]]> \xc3\xa9";
  const std::string xml = write_junit(report);
  EXPECT_NE(xml.find("a\xef\xbf\xbd"
                     "b\xef\xbf\xbd[0m caf\xef\xbf\xbd \xef\xbf\xbd"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("]]&gt; \xc3\xa9"), std::string::npos) << xml;
}

TEST(JunitReport, AnErrorIsATestThatDidNotRun) {
  Report report;
  report.result.command = "check";
  report.error = "main does not build";
  EXPECT_NE(write_junit(report).find("<error message=\"main does not build\"/>"), std::string::npos);
}

TEST(GithubReport, IsAsApproved) {
  expect_golden("report.github", write_github(sample_report()));
}

TEST(GithubReport, TenOfAKindAndThatThereAreMore) {
  const std::string text = write_github(many_findings(12));
  size_t errors = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) errors += line.starts_with("::error ");
  EXPECT_EQ(errors, 10u);
  EXPECT_NE(
      text.find("::notice title=heddle detect::2 findings are not shown here, since ten of a kind are\n"),
      std::string::npos)
      << text;
}

TEST(ConsoleReport, IsAsApproved) {
  expect_golden("report.txt", write_console(sample_report()));
}

TEST(FindingKinds, EveryOutcomeHasOne) {
  for (uint32_t kind = 1; kind < static_cast<uint32_t>(trace::OutcomeKind::kCount); ++kind) {
    const std::string_view name = trace::to_text(static_cast<trace::OutcomeKind>(kind));
    EXPECT_NE(finding_kind(name).title, name);
  }
}

}  // namespace
}  // namespace heddle
