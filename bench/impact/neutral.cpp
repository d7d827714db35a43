#include "neutral.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "changed_subject.h"
#include "check/compared_test.h"
#include "common/table.h"
#include "subject_tests.h"
#include "support/interruption.h"
#include "trace/names.h"

namespace heddle::bench {
namespace {

constexpr size_t kToldExamples = 5;
// To find some with threads among the hundreds of tests that some subjects have.
constexpr size_t kLookedAt = 30;

void tell_examples(const std::string& what, TestImpact& test) {
  for (size_t i = 0; i < std::min(kToldExamples, test.impact.events.size()); ++i) {
    const ImpactedEvent& impacted = test.impact.events[i];
    const trace::EventRecord& event = test.head.recording.trace().events()[impacted.event];
    fmt::print(stderr, "{}: {} {} at {}\n", what, to_text(impacted.reason), trace::to_text(event.kind),
               test.head.symbols->site_text(event.site, event.context));
  }
}

Expected<void> compare(const ChangeImpact& change, const std::string& test, NeutralFigures* figures) {
  const Expected<StartedTest> started = start_test(change, test);
  if (!started) return tl::unexpected(started.error());
  for (;;) {
    const Expected<std::unique_ptr<TestImpact>> found = started->compared->next();
    if (!found) return tl::unexpected(found.error());
    if (*found == nullptr) break;
    const Impact& impact = (*found)->impact;
    figures->accesses += impact.accesses;
    figures->impacted += impact.impacted_accesses;
    figures->others += impact.events.size() - impact.impacted_accesses;
    if ((*found)->base.divergence) fmt::print(stderr, "{} does something else each time\n", test);
    tell_examples(fmt::format("{}, {}, {}", figures->subject, to_text(figures->kind), test), **found);
  }
  ++figures->tests;
  return {};
}

std::string cell(const NeutralFigures& figures) {
  if (!figures.is_there) return "-";
  if (!figures.compiles) return "does not compile";
  if (figures.others > 0)
    return fmt::format("{} of {}, {} others", figures.impacted, figures.accesses, figures.others);
  return fmt::format("{} of {}", figures.impacted, figures.accesses);
}

}  // namespace

Expected<std::vector<NeutralFigures>> measure_neutral(const Subject& subject, const NeutralOptions& options) {
  Expected<ChangedSubject> changed = ChangedSubject::prepare(subject, options.work, options.compilers);
  if (!changed) return tl::unexpected(changed.error());
  Expected<std::vector<SubjectTest>> tests = tests_with_threads(*changed, kLookedAt);
  if (!tests) return tl::unexpected(tests.error());
  if (tests->size() > options.tests) tests->resize(options.tests);
  std::vector<NeutralFigures> all;
  for (const NeutralKind kind : kNeutralKinds) {
    if (was_interrupted()) break;
    if (std::string_view(to_text(kind)).find(options.only) == std::string_view::npos) continue;
    NeutralFigures figures{.subject = subject.name, .kind = kind};
    const std::map<std::string, std::string> texts = make_neutral(kind, changed->sources());
    figures.is_there = !texts.empty();
    if (figures.is_there) {
      fmt::print(stderr, "{}: {}\n", subject.name, to_text(kind));
      const Expected<std::optional<ChangeImpact>> change = changed->change(texts, to_text(kind));
      if (!change) return tl::unexpected(change.error());
      figures.compiles = change->has_value();
      if (figures.compiles)
        for (const SubjectTest& test : *tests)
          if (const Expected<void> done = compare(**change, test.name, &figures); !done)
            return tl::unexpected(done.error());
    }
    all.push_back(std::move(figures));
  }
  return all;
}

std::string print_neutral(const std::vector<NeutralFigures>& figures, bool markdown) {
  std::vector<std::string> headings{"subject"};
  for (const NeutralKind kind : kNeutralKinds) headings.emplace_back(to_text(kind));
  Table table(headings);
  std::map<std::string, std::map<NeutralKind, std::string>> lines;
  for (const NeutralFigures& one : figures) lines[one.subject][one.kind] = cell(one);
  for (auto& [subject, cells] : lines) {
    std::vector<std::string> line{subject};
    for (const NeutralKind kind : kNeutralKinds) line.push_back(cells[kind]);
    table.add(line);
  }
  return table.print(markdown);
}

bool is_all_empty(const std::vector<NeutralFigures>& figures) {
  return std::ranges::all_of(figures, [](const NeutralFigures& one) {
    return one.impacted == 0 && one.others == 0 && (one.compiles || !one.is_there);
  });
}

}  // namespace heddle::bench
