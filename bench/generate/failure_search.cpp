#include "failure_search.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "common/process.h"
#include "cpu_clock.h"
#include "generate/failure_report.h"
#include "generate/test_folder.h"
#include "generate/test_writer.h"
#include "trace/names.h"

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

size_t lines_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
}

// Writes each failure down, with what it took.
class Recorder : public generate::GeneratorListener {
 public:
  Recorder(const PreparedSubject& prepared, generate::TestWriter& writer, FailureSearch& search)
      : prepared_(prepared), writer_(writer), search_(search) {}

  void on_progress(const generate::GeneratorStatus&) override {}

  Expected<bool> on_failure(const generate::FoundFailure& found) override {
    const generate::Driver& driver = prepared_.driver;
    const generate::TestFailure& failure = found.failure;
    const generate::FailureReport report(driver.model, driver.operations);
    search_.failures.push_back(
        {.kind = std::string(trace::to_text(failure.kind)),
         .message = failure.message,
         .calls = report.concurrent_calls(failure.plan),
         .is_the_bug = prepared_.subject.has_bug &&
                       shows_bug(prepared_.subject, failure, driver.model, driver.operations),
         .cpu_seconds = cpu_seconds_with_running() - cpu_before_,
         .seconds = std::chrono::duration<double>(Clock::now() - begun_).count(),
         .tests = found.tests,
         .executions = found.executions});
    if (const Expected<void> added = writer_.add_failing(failure, failure.identity, {}); !added)
      return tl::unexpected(added.error());
    return true;
  }

  double cpu_seconds() const { return cpu_seconds_with_running() - cpu_before_; }

 private:
  const PreparedSubject& prepared_;
  generate::TestWriter& writer_;
  FailureSearch& search_;
  const double cpu_before_ = cpu_seconds_with_running();
  const Clock::time_point begun_ = Clock::now();
};

// Failing tests are written one in a file, in the order in which they were found.
void look_at_tests(const std::vector<generate::WrittenTest>& tests, FailureSearch* search) {
  std::map<fs::path, bool> files;  // whether they fail
  size_t failing = 0;
  for (const generate::WrittenTest& test : tests) {
    const bool is_failing = !test.fingerprint.empty();
    files[test.file] = is_failing;
    if (is_failing && failing < search->failures.size()) {
      search->failures[failing++].fails_again = test.is_checked;
    } else {
      ++search->passing_tests;
    }
  }
  for (const auto& [file, is_failing] : files)
    (is_failing ? search->failing_lines : search->passing_lines) += lines_of(file);
}

}  // namespace

const EmittedFailure* FailureSearch::first_of_bug() const {
  const auto found = std::ranges::find_if(failures, &EmittedFailure::is_the_bug);
  return found == failures.end() ? nullptr : &*found;
}

Expected<FailureSearch> search_failures(const PreparedSubject& prepared,
                                        const FailureSearchOptions& options) {
  const generate::Driver& driver = prepared.driver;
  FailureSearch search{.name = prepared.subject.name,
                       .has_bug = prepared.subject.has_bug,
                       .is_race_free = prepared.subject.is_race_free,
                       .driver_cpu_seconds = prepared.driver_cpu_seconds,
                       .operations = driver.operations.operations.size(),
                       .unusable = driver.unusable.size(),
                       .driver_lines = lines_of(driver.source)};
  std::error_code ignored;
  fs::remove_all(prepared.folder / "tests", ignored);
  Expected<generate::TestFolder> folder =
      generate::TestFolder::open(prepared.folder / "tests", /*replaces=*/true);
  if (!folder) return tl::unexpected(folder.error());
  generate::TestWriter writer(driver, *folder,
                              {.sources = prepared.subject.sources,
                               .folder = prepared.folder / "program",
                               .compilers = options.compilers,
                               .includes = options.includes,
                               .runtime = options.runtime,
                               .step = {}});
  Recorder recorder(prepared, writer, search);
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  Expected<std::unique_ptr<generate::DriverSession>> session = open_session(prepared, *symbolizer);
  if (!session) return tl::unexpected(session.error());
  generate::Generator generator(
      **session, driver.model, driver.operations, *symbolizer,
      {.budget = options.budget, .clock = cpu_clock(), .seed = options.seed, .search = {}}, recorder);
  Expected<generate::GeneratorResult> result = generator.run();
  if (!result) return tl::unexpected(result.error());
  search.cpu_seconds = recorder.cpu_seconds();
  search.status = result->status;
  search.is_complete = result->complete;
  if (const Expected<void> added = writer.add_passing(std::move(result->suite)); !added)
    return tl::unexpected(added.error());
  if (options.check_budget.count() > 0) {
    const Expected<std::string> trouble = writer.check(options.check_budget);
    if (!trouble) return tl::unexpected(trouble.error());
    search.are_tests_executed = true;
    search.tests_trouble = *trouble;
  }
  look_at_tests(writer.written(), &search);
  return search;
}

}  // namespace heddle::bench
