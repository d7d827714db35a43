#include "check/acts_of_threads.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "explore/place.h"

namespace heddle {
namespace {

// Each costs an execution of the head. The first statement that is left out is mostly the one that matters.
constexpr size_t kMostTried = 8;
// With the first, the others run as they would without preemption; with the second, at random.
constexpr uint64_t kWaysToWait = 2;

// Many events come from one place.
class StatementsOfEvents {
 public:
  StatementsOfEvents(TraceSymbols& symbols, const NameOfStatement& statement_of)
      : symbols_(symbols), statement_of_(statement_of) {}

  uint64_t of(const trace::EventRecord& event) {
    const auto [entry, is_new] = known_.try_emplace(uint64_t{event.site} << 32 | event.context);
    if (is_new) entry->second = statement_of_(symbols_.line_of_interest(event.site, event.context));
    return entry->second;
  }

 private:
  TraceSymbols& symbols_;
  const NameOfStatement& statement_of_;
  std::unordered_map<uint64_t, uint64_t> known_;  // by site and context
};

}  // namespace

std::map<uint32_t, ActsOfThreads::Statements> ActsOfThreads::acts_in(TraceSymbols& head) const {
  std::map<uint32_t, Statements> acts;
  StatementsOfEvents statements(head, statement_of_.head);
  for (const trace::EventRecord& event : head.trace().events())
    if (const uint64_t statement = statements.of(event); impacted_.contains(statement))
      acts[event.thread].insert(statement);
  return acts;
}

void ActsOfThreads::note_places(TraceSymbols& symbols, const NameOfStatement& statement_of,
                                Places* places) const {
  const PlaceNames keys(symbols.trace());
  StatementsOfEvents statements(symbols, statement_of);
  for (const trace::EventRecord& event : symbols.trace().events())
    if (const uint64_t statement = statements.of(event); impacted_.contains(statement))
      (*places)[statement].insert(keys.place_of(symbols.trace(), event));
}

void ActsOfThreads::add(const TestImpact& test) {
  if (test.impact.events.empty()) return;
  const trace::Trace& trace = test.head.recording.trace();
  StatementsOfEvents of_events(*test.head.symbols, statement_of_.head);
  for (const ImpactedEvent& impacted : test.impact.events) {
    const uint64_t statement = of_events.of(trace.events()[impacted.event]);
    if (impacted_.insert(statement).second) order_.push_back(statement);
  }
  note_places(*test.head.symbols, statement_of_.head, &head_places_);
  if (test.base.server) note_places(*test.base.symbols, statement_of_.base, &base_places_);
  std::map<uint64_t, uint32_t> threads;
  for (auto& [thread, statements] : acts_in(*test.head.symbols)) {
    for (const uint64_t statement : statements) ++threads[statement];
    of_threads_.insert(std::move(statements));
  }
  for (const auto& [statement, count] : threads) {
    uint32_t& together = together_[statement];
    together = std::max(together, count);
  }
}

std::vector<uint64_t> ActsOfThreads::left_out() const {
  Statements found;
  for (const Statements& statements : of_threads_) {
    uint32_t most = 0;
    for (const uint64_t statement : statements) most = std::max(most, together_.at(statement));
    for (const uint64_t statement : statements)
      if (together_.at(statement) < most) found.insert(statement);
  }
  std::vector<uint64_t> result;
  std::ranges::copy_if(order_, std::back_inserter(result),
                       [&](uint64_t statement) { return found.contains(statement); });
  return result;
}

std::optional<ActsOfThreads::Wait> ActsOfThreads::next() {
  const auto places_in = [](const Places& places, uint64_t statement) {
    const auto known = places.find(statement);
    return known == places.end() ? std::vector<uint64_t>()
                                 : std::vector<uint64_t>(known->second.begin(), known->second.end());
  };
  const std::vector<uint64_t> statements = left_out();
  for (uint64_t seed = 0; seed < kWaysToWait; ++seed)
    for (const uint64_t statement : statements)
      if (tried_.size() < kMostTried && tried_.emplace(statement, seed).second)
        return Wait{places_in(head_places_, statement), places_in(base_places_, statement), seed};
  return std::nullopt;
}

bool ActsOfThreads::adds(TraceSymbols& head) const {
  std::map<uint64_t, uint32_t> threads;
  for (const auto& [thread, statements] : acts_in(head))
    for (const uint64_t statement : statements) ++threads[statement];
  return std::ranges::any_of(threads, [&](const auto& entry) {
    const auto known = together_.find(entry.first);
    return known != together_.end() && known->second < entry.second;
  });
}

}  // namespace heddle
