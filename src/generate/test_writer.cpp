#include "generate/test_writer.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "support/interruption.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using trace::OutcomeKind;

// Of a test that passes: it is there to be executed often.
constexpr uint64_t kExecutionsOfPassing = 2000;
constexpr std::chrono::milliseconds kMostTimeOfTest{20'000};

// How a test may look for its failure. The first that shows it is kept.
struct Way {
  const char* policy;
  bool detects_races;
};
constexpr Way kWays[] = {{"random", false}, {"random", true}, {"pct:2", false},
                         {"pct:3", false},  {"pos", false},   {"pct:2", true}};

bool is_about_memory(OutcomeKind kind) {
  return kind == OutcomeKind::kRace || kind == OutcomeKind::kUseAfterFree;
}

std::string stem_of_class(const ClassModel& model) {
  std::string name = suite_name(model);
  name.resize(name.size() - std::string("Concurrency").size());
  return file_stem(name);
}

}  // namespace

TestWriter::TestWriter(const Driver& driver, TestFolder& folder, Options options)
    : driver_(driver), folder_(folder), options_(std::move(options)), suite_(suite_name(driver.model)) {}

std::string TestWriter::free_name(const std::string& wanted) {
  const uint32_t number = ++names_[wanted];
  return number == 1 ? wanted : fmt::format("{}{}", wanted, number);
}

// A test of a race looks for races from the beginning; another one would be ended by them.
void TestWriter::explore_in_way(TestCase* test, size_t way) {
  const size_t first = is_about_memory(test->shows) ? 1 : 0;
  const Way& chosen = kWays[way == 0 ? first : way <= first ? way - 1 : way];
  test->policy = chosen.policy;
  test->detects_races = chosen.detects_races;
}

Expected<void> TestWriter::add_failing(const TestFailure& failure, const std::string& fingerprint,
                                       std::vector<std::string> remarks) {
  const std::string name = free_name(test_name(failure.plan, driver_.model, driver_.operations));
  Entry entry{.test = {.name = name,
                       .plan = failure.plan,
                       .shows = failure.kind,
                       .right = failure.right,
                       .remarks = std::move(remarks)},
              .written = {.file = folder_.choose_file(
                              fmt::format("{}_{}", stem_of_class(driver_.model), file_stem(name))),
                          .name = fmt::format("{}.{}", suite_, name),
                          .fingerprint = fingerprint}};
  explore_in_way(&entry.test, 0);
  entries_.push_back(std::move(entry));
  return write(entries_.back().written.file);
}

Expected<void> TestWriter::add_passing(std::vector<CoveringTest> tests) {
  std::stable_sort(tests.begin(), tests.end(), [](const CoveringTest& one, const CoveringTest& other) {
    return one.covered > other.covered;
  });
  if (tests.empty()) return {};
  const fs::path file = folder_.choose_file(stem_of_class(driver_.model) + "_suite");
  for (size_t i = 0; i < tests.size() && i < options_.most_passing; ++i) {
    const std::string name = free_name(test_name(tests[i].plan, driver_.model, driver_.operations));
    entries_.push_back({.test = {.name = name,
                                 .plan = std::move(tests[i].plan),
                                 .shows = OutcomeKind::kOk,
                                 .right = std::move(tests[i].right),
                                 .detects_races = true,
                                 .executions = kExecutionsOfPassing},
                        .written = {.file = file, .name = fmt::format("{}.{}", suite_, name)}});
  }
  return write(file);
}

Expected<void> TestWriter::write(const fs::path& file) {
  std::vector<TestCase> tests;
  for (const Entry& entry : entries_)
    if (entry.written.file == file && !entry.is_dropped) tests.push_back(entry.test);
  if (tests.empty()) return folder_.remove(file);
  return folder_.write(file, test_file(tests, driver_.model, driver_.operations,
                                       {.headers = options_.sources.headers, .suite = suite_}));
}

// Whether the test is as it should be. Else it has been changed.
bool TestWriter::judge(Entry& entry, const TestRun& run) {
  const bool is_to_fail = entry.test.shows != OutcomeKind::kOk;
  if (run.failed == is_to_fail) {
    entry.written.is_checked = true;
    entry.written.executions = run.executions;
    return true;
  }
  ++entry.way;
  if (is_to_fail && entry.way < std::size(kWays)) {
    explore_in_way(&entry.test, entry.way);
    return false;
  }
  // What is known of the class may be all that is wrong with a test that passes otherwise.
  if (!is_to_fail && entry.test.detects_races) {
    entry.test.detects_races = false;
    return false;
  }
  if (!is_to_fail) {
    entry.is_dropped = true;
    return false;
  }
  explore_in_way(&entry.test, 0);
  entry.test.remarks.push_back("Exploring did not come upon it again; the replay of its schedule shows it.");
  return false;
}

Expected<TestWriter::CheckEnd> TestWriter::execute(const TestProgram& program,
                                                   std::chrono::milliseconds* left) {
  std::set<fs::path> changed;
  for (Entry& entry : entries_) {
    if (!is_to_be_checked(entry)) continue;
    if (left->count() <= 0) return CheckEnd::kNoTime;
    const Clock::time_point begin = Clock::now();
    const Expected<TestRun> run = program.run(entry.written.name, std::min(*left, kMostTimeOfTest));
    if (!run) return tl::unexpected(run.error());
    *left -= std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    if (!judge(entry, *run)) changed.insert(entry.written.file);
  }
  for (const fs::path& file : changed)
    if (const Expected<void> written = write(file); !written) return tl::unexpected(written.error());
  return changed.empty() ? CheckEnd::kDone : CheckEnd::kAgain;
}

bool TestWriter::is_to_be_checked(const Entry& entry) {
  return !entry.is_dropped && !entry.written.is_checked && entry.way < std::size(kWays);
}

Expected<std::string> TestWriter::check(std::chrono::milliseconds budget) {
  while (!was_interrupted()) {
    std::set<fs::path> files;
    for (const Entry& entry : entries_)
      if (is_to_be_checked(entry)) files.insert(entry.written.file);
    if (files.empty()) return std::string();
    if (options_.step) options_.step("compiling the tests");
    const Expected<TestProgram> program =
        TestProgram::build({files.begin(), files.end()}, {.folder = options_.folder,
                                                          .compilers = options_.compilers,
                                                          .includes = options_.includes,
                                                          .runtime = options_.runtime,
                                                          .sources = options_.sources,
                                                          .objects = driver_.objects,
                                                          .archive = driver_.archive});
    if (!program) return program.error().message;
    if (options_.step) options_.step("executing the tests");
    const Expected<CheckEnd> end = execute(*program, &budget);
    if (!end) return tl::unexpected(end.error());
    if (*end == CheckEnd::kNoTime) return std::string("there was no time left to execute all of them");
    if (*end == CheckEnd::kDone) return std::string();
  }
  return std::string("interrupted");
}

std::vector<WrittenTest> TestWriter::written() const {
  std::vector<WrittenTest> tests;
  for (const Entry& entry : entries_)
    if (!entry.is_dropped) tests.push_back(entry.written);
  return tests;
}

}  // namespace heddle::generate
