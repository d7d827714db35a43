#include "report/html/html_report.h"

#include <gtest/gtest.h>

#include "report/html/page_document.h"
#include "report/html/source_excerpts.h"
#include "sample_traces.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kElement = R"(<script type="application/json" id="heddle-report-document">)";

// What a browser finds in the element of the document.
std::string embedded(const std::string& page) {
  const size_t begin = page.find(kElement) + kElement.size();
  return page.substr(begin, page.find("</script", begin) - begin);
}

Finding told(const trace::Trace& trace) {
  FakeSymbolizer symbolizer = bank_symbols();
  ReportContext context(trace, symbolizer);
  context.sources.provide("bank.cpp", bank_source());
  const FailureStory story = *tell_failure(context);
  Finding finding = make_finding(context, story);
  const ChangedLines changed = {{"bank.cpp", {10}}};
  EvidenceOptions options;
  options.wants_flow = true;
  options.wants_events = true;
  options.scope.changed = &changed;
  finding.evidence = std::make_shared<const Evidence>(make_evidence(context, story, options));
  return finding;
}

class DeadlockDocument : public testing::Test {
 protected:
  void SetUp() override {
    Report report;
    report.result.findings = {told(deadlock_trace())};
    document_ = page_document(report);
    execution_ = document_["evidence"][report.result.findings[0].fingerprint]["execution"];
  }

  size_t event_of(size_t thread, const std::string& verb, const std::string& location) const {
    const ordered_json& events = execution_["events"];
    for (size_t i = 0; i < events["thread"].size(); ++i) {
      const int64_t where = events["location"][i];
      if (events["thread"][i] == thread && execution_["verbs"][events["verb"][i].get<size_t>()] == verb &&
          where >= 0 && execution_["locations"][static_cast<size_t>(where)]["name"] == location)
        return i;
    }
    ADD_FAILURE() << "main/" << thread << " does not " << verb << " " << location;
    return 0;
  }

  ordered_json document_;
  ordered_json execution_;
};

TEST_F(DeadlockDocument, HasAnEntryForEachEventInEveryArray) {
  const ordered_json& events = execution_["events"];
  const size_t count = events["thread"].size();
  ASSERT_GT(count, 0u);
  for (const char* name : {"place", "verb", "location", "note"}) EXPECT_EQ(events[name].size(), count);
  uint64_t numbered = 0;
  for (const ordered_json& run : execution_["runs"]) numbered += run[1].get<uint64_t>();
  EXPECT_EQ(numbered, count);
}

TEST_F(DeadlockDocument, SaysWhereAnEventIsAndWhatTheChangeTouches) {
  const size_t event = event_of(1, "lock", "a");
  const ordered_json& place = execution_["places"][execution_["events"]["place"][event].get<size_t>()];
  EXPECT_EQ(place["function"], "transfer");
  EXPECT_EQ(place["text"], "a.lock();");
  EXPECT_EQ(place["changed"], true);
  EXPECT_EQ(document_["sources"][place["file"].get<size_t>()]["path"], "bank.cpp");
}

TEST_F(DeadlockDocument, LocksHeldAtTheEndAreOpen) {
  const size_t event = event_of(1, "lock", "a");
  const ordered_json& locks = execution_["locks"];
  const auto lock =
      std::find_if(locks.begin(), locks.end(), [&](const ordered_json& it) { return it["from"] == event; });
  ASSERT_NE(lock, locks.end());
  EXPECT_EQ((*lock)["to"], -1);
  EXPECT_EQ((*lock)["thread"], 1);
}

TEST_F(DeadlockDocument, TellsWhyThreadsDoNotGoOn) {
  EXPECT_NE(execution_["threads"][1]["end"]["note"].get<std::string>().find("waits for"), std::string::npos);
}

TEST_F(DeadlockDocument, StepsAreEventsOfOneThreadOnOneLine) {
  ASSERT_FALSE(execution_["steps"].empty());
  const ordered_json& threads = execution_["events"]["thread"];
  for (const ordered_json& step : execution_["steps"]) {
    const size_t first = step["event"];
    const size_t count = step["events"];
    ASSERT_GE(count, 1u);
    ASSERT_LE(first + count, threads.size());
    for (size_t i = first; i < first + count; ++i) EXPECT_EQ(threads[i], threads[first]);
  }
}

TEST(HtmlReport, TextOfProgramsStaysText) {
  Report report;
  Finding& finding = report.result.findings.emplace_back();
  finding.kind = "assertion";
  finding.message = "</script><script>alert(1)</script><!-- \xE2\x80\xA8 \xFF \x01";
  const std::string text = embedded(write_html_report(report));
  for (const std::string_view bad : {"<", "\xE2\x80\xA8", "\xFF", "\x01"})
    EXPECT_EQ(text.find(bad), std::string::npos) << bad;
  const auto document = ordered_json::parse(text);
  EXPECT_EQ(document["heddle_report"], kPageDocumentVersion);
  EXPECT_EQ(document["result"]["findings"][0]["message"],
            "</script><script>alert(1)</script><!-- \xE2\x80\xA8 \xEF\xBF\xBD \x01");
}

TEST(HtmlReport, PageNeedsNoOtherFile) {
  const std::string_view page = html_bundle();
  EXPECT_EQ(page.find(" src="), std::string_view::npos);
  EXPECT_EQ(page.find("<link"), std::string_view::npos);
  EXPECT_EQ(page.find("@import"), std::string_view::npos);
}

std::vector<std::string> numbered_lines(size_t count) {
  std::vector<std::string> lines;
  for (size_t i = 1; i <= count; ++i) lines.push_back(std::to_string(i));
  return lines;
}

TEST(SourceExcerpts, OfALargeFileOnlyWhatIsMentionedIsThere) {
  SourceExcerpts sources;
  sources.provide("large.cpp", numbered_lines(10'000));
  for (const uint32_t line : {100U, 150U, 5000U, 20'000U}) sources.mention("large.cpp", line);
  sources.change("large.cpp", {5000, 5001, 5003});
  const ordered_json file = sources.to_json()[0];
  ASSERT_EQ(file["chunks"].size(), 2u);
  EXPECT_EQ(file["chunks"][0]["first"], 40);
  EXPECT_EQ(file["chunks"][0]["lines"].back(), "210");
  EXPECT_EQ(file["chunks"][1]["lines"][0], "4940");
  EXPECT_EQ(file["changed"], (ordered_json{{5000, 5001}, {5003, 5003}}));
}

TEST(SourceExcerpts, ASmallFileIsThereAsAWhole) {
  SourceExcerpts sources;
  sources.provide("small.cpp", numbered_lines(20));
  sources.mention("small.cpp", 3);
  EXPECT_EQ(sources.to_json()[0]["chunks"][0]["lines"].size(), 20u);
}

}  // namespace
}  // namespace heddle
