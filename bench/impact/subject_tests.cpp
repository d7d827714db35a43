#include "subject_tests.h"

#include <algorithm>

#include "check/source_names.h"
#include "execute/fork_server.h"
#include "symbolize/trace_symbols.h"

namespace heddle::bench {
namespace {

// An execution of more is no example of what a developer waits for.
constexpr uint64_t kMostEvents = 200'000;

}  // namespace

Expected<std::vector<SubjectTest>> tests_with_threads(const ChangedSubject& subject, size_t most) {
  std::vector<SubjectTest> tests;
  SourceNames names(subject.base_build().source, subject.base_build().folder);
  const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
  const std::vector<SuiteTest>& all = subject.base_suite().tests;
  const size_t step = most == 0 ? 1 : std::max<size_t>(1, (all.size() + most - 1) / most);
  for (size_t i = 0; i < all.size(); i += step) {
    const SuiteTest& test = all[i];
    Expected<ForkServer> server = ForkServer::start(test.command);
    if (!server) return tl::unexpected(server.error());
    RecordingOptions options;
    options.timeout = std::chrono::seconds(10);
    options.flags = trace::request_flag::kCoverage;
    const Expected<Recording> recording = record_execution(*server, options);
    if (!recording) return tl::unexpected(recording.error());
    const trace::Trace& trace = recording->trace();
    if (recording->execution.threads_created == 0 || trace.events().size() > kMostEvents) continue;
    SubjectTest found{.name = test.name,
                      .threads = recording->execution.threads_created,
                      .events = trace.events().size(),
                      .lines = {}};
    TraceSymbols symbols(trace, *symbolizer);
    for (uint32_t site = 1; site < trace.sites().size(); ++site)
      for (const StackFrame& frame : symbols.stack(site, 0))
        if (const std::optional<std::string> file = names.name_of(frame.frame.file))
          found.lines[*file].insert(frame.frame.line);
    tests.push_back(std::move(found));
  }
  std::ranges::stable_sort(tests, std::ranges::greater{}, &SubjectTest::threads);
  return tests;
}

Expected<StartedTest> start_test(const ChangeImpact& change, const std::string& name) {
  constexpr uint32_t kSchedules = 3;
  const Expected<TestOfBoth> both = change.find(name);
  if (!both) return tl::unexpected(both.error());
  StartedTest started{.symbolizer = make_symbolizer(), .compared = nullptr};
  Expected<std::unique_ptr<ComparedTest>> compared =
      ComparedTest::start(change, *both, kSchedules, *started.symbolizer);
  if (!compared) return tl::unexpected(compared.error());
  started.compared = std::move(*compared);
  return started;
}

}  // namespace heddle::bench
