#include "interact/fuzz/fuzz_loop.h"

#include <algorithm>
#include <utility>

#include "interact/trial/differential.h"
#include "interact/trial/report.h"

namespace heddle::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
using concolic::ProgramInput;

constexpr size_t kInputsOfChoice = 32;  // made of an input before another one is chosen
constexpr size_t kMostReplacements = 1024;
constexpr size_t kChoicesBetweenReplacements = 8;
constexpr size_t kFewReplacements = 64;
constexpr size_t kRecentInputs = size_t{1} << 18;
// So many inputs in a row that were executed already: there are no others, or few.
constexpr uint64_t kExhausted = 200'000;
constexpr size_t kStepsOfFirst = 3'000;  // to make smaller what differs as nothing before
constexpr size_t kStepsOfOthers = 500;
constexpr size_t kStepsInProcesses = 60;
constexpr size_t kMostCorpus = 20'000;
constexpr size_t kMostForSequences =
    2'000;  // then another sequence of changes alone is no reason to keep one
constexpr size_t kMostNearest = 16;
// At the clock; each takes as long as a part of an execution.
constexpr uint64_t kExecutionsBetweenLooks = 64;

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 29;
}

const std::vector<heddle::Frame>& no_name(const std::string&, uint64_t) {
  static const std::vector<heddle::Frame> kUnknown{{.function = "?", .signature = "?", .file = {}}};
  return kUnknown;
}

}  // namespace

FuzzLoop::FuzzLoop(const LoopSettings& settings, Executor& executor, LoopListener& listener)
    : settings_(settings),
      executor_(executor),
      listener_(listener),
      random_(settings.seed),
      base_coverage_(executor.base_edges()),
      head_coverage_(executor.head_edges()),
      traces_(settings.graph),
      corpus_(settings.guidance, settings.graph, settings.distances, head_coverage_, traces_),
      mutation_(settings.room, dictionary_, random_),
      recent_(kRecentInputs),
      ways_(1) {
  for (const std::string& word : settings.words) dictionary_.add_word(word);
  for (const ProgramInput& input : settings.avoided) avoided_.insert(hash_of(input));
}

bool FuzzLoop::is_over() const {
  if (executions_ >= end_ || repeated_ >= kExhausted) return true;
  // In processes, an execution takes as long as many looks.
  if (in_processes_ == 0 && (executions_ + repeated_) % kExecutionsBetweenLooks != 0) return false;
  return Clock::now() >= deadline_ || std::clock() >= cpu_end_;
}

Expected<void> FuzzLoop::run(const Limits& limits) {
  deadline_ = limits.deadline;
  cpu_end_ = std::clock() + limits.cpu_time.count() * (CLOCKS_PER_SEC / 1000);
  end_ = limits.executions > ~uint64_t{0} - executions_ ? ~uint64_t{0} : executions_ + limits.executions;
  while (!is_over()) {
    if (const Expected<void> done = step(); !done) return done;
  }
  return {};
}

Expected<void> FuzzLoop::step() {
  if (!seeds_.empty()) return try_seed();
  if (corpus_.entries().empty()) {
    ProgramInput simplest;
    settings_.room.fit(&simplest);
    return try_input(simplest, true);
  }
  CorpusEntry& chosen = corpus_.choose(random_, executions_);
  const ProgramInput parent = chosen.input;
  if (std::exchange(chosen.is_new, false)) return try_replacements(parent, kMostReplacements);
  // What has to be there before a comparison says something may be no edge.
  if (random_.one_in(kChoicesBetweenReplacements))
    return try_replacements(mutation_.mutate(parent, corpus_.any(random_).input), kFewReplacements);
  for (size_t i = 0; i < kInputsOfChoice && !is_over(); ++i) {
    const Expected<void> tried = try_input(mutation_.mutate(parent, corpus_.any(random_).input), false);
    if (!tried) return tried;
  }
  return {};
}

Expected<void> FuzzLoop::try_seed() {
  ProgramInput seed = std::move(seeds_.front());
  seeds_.pop_front();
  settings_.room.fit(&seed);
  return try_input(seed, true);
}

Expected<void> FuzzLoop::try_replacements(const ProgramInput& input, size_t most) {
  if (avoided_.contains(hash_of(input))) return {};
  const Expected<Execution> execution = execute(input, 2, true);
  if (!execution) return tl::unexpected(execution.error());
  learn_words(input, execution->comparisons, &dictionary_);
  std::vector<ProgramInput> replaced =
      replacements(input, execution->comparisons, settings_.room, most, random_);
  for (const ProgramInput& one : replaced) {
    if (is_over()) break;
    if (const Expected<void> tried = try_input(one, false); !tried) return tried;
  }
  return {};
}

Expected<Execution> FuzzLoop::execute(const ProgramInput& input, size_t versions, bool wants_compares) {
  Expected<Execution> execution = executor_.run(input, versions, wants_compares);
  ++executions_;
  if (execution && !execution->ran_here) ++in_processes_;
  return execution;
}

// Of what ran in processes, the marks up to where it was ended here say little.
TraceNumber FuzzLoop::trace_of(const Execution& execution) {
  return execution.ran_here && !execution.head_edges.empty() ? traces_.of(execution.marks) : kNoNode;
}

uint64_t FuzzLoop::changes_key(TraceNumber trace) const {
  return trace == kNoNode ? 0 : traces_[trace].changes_key;
}

Expected<void> FuzzLoop::try_input(const ProgramInput& input, bool is_seed) {
  const uint64_t hash = hash_of(input);
  uint64_t& recent = recent_[hash % kRecentInputs];
  if (recent == hash || avoided_.contains(hash)) {
    ++repeated_;
    return {};
  }
  recent = hash;
  repeated_ = 0;
  const Expected<Execution> execution = execute(input, 2, false);
  if (!execution) return tl::unexpected(execution.error());
  NewCoverage coverage = head_coverage_.look(execution->head_edges);
  const NewCoverage of_base = base_coverage_.look(execution->base_edges);
  coverage.edges += of_base.edges;
  coverage.counts += of_base.counts;
  const TraceNumber trace = trace_of(*execution);
  const bool does_end = std::ranges::any_of(execution->runs, &fast::VersionRun::is_complete);
  Traces::News news;
  if (settings_.guidance == Guidance::kGraph) news = traces_.take(trace);
  const bool is_wanted = is_seed || coverage.any() || news.step ||
                         (news.changes && corpus_.entries().size() < kMostForSequences);
  if (does_end && is_wanted && corpus_.entries().size() < kMostCorpus)
    keep(input, *execution, trace, {news.step, is_seed || coverage.any()});
  if (coverage.any() || news.step) last_new_ = executions_;
  const Expected<Compared> compared = compare(input, *execution);
  if (!compared) return tl::unexpected(compared.error());
  if (compared->kind == 0) {
    if (trace != kNoNode) ++tally_[{trace, 0}];
    return {};
  }
  return count_difference(input, trace, *compared);
}

void FuzzLoop::keep(const ProgramInput& input, const Execution& execution, TraceNumber trace,
                    const Why& why) {
  CorpusEntry entry;
  entry.input = input;
  entry.edges = edges_of(execution.head_edges);
  entry.trace = trace;
  for (const uint32_t edge : entry.edges) entry.work += execution.head_edges[edge];
  entry.needs_processes = !execution.ran_here;
  // Comparisons are of what ran here; where only the order of changes is new, they are mostly known.
  entry.is_new = !execution.head_edges.empty() && (why.is_in_code || why.is_step);
  corpus_.add(std::move(entry));
  KeptForCorpus kept{
      .input = input, .has_trace = trace != kNoNode, .nodes = {}, .changes = {}, .has_new_step = why.is_step};
  if (trace != kNoNode) {
    kept.nodes = traces_[trace].nodes;
    kept.changes = traces_[trace].changes;
  }
  listener_.keeps(kept);
}

interact::Behaviour FuzzLoop::behaviour_of(const fast::VersionRun& run) const {
  if (run.process != nullptr) return *run.process;
  interact::Behaviour behaviour;
  behaviour.timed_out = run.end == fast::RunEnd::kTime;
  behaviour.wrote_too_much = run.end == fast::RunEnd::kOutput;
  behaviour.out = run.out;
  // A failed assertion is a report here as well: its line moves between versions.
  interact::SplitErrors errors = interact::split_errors(run.err, "", no_name);
  behaviour.err = std::move(errors.rest);
  behaviour.report = std::move(errors.report);
  behaviour.exit_code = run.exit_code;
  behaviour.signal = run.signal;
  return behaviour;
}

Expected<FuzzLoop::Compared> FuzzLoop::compare(const ProgramInput& input, const Execution& execution) {
  Compared compared;
  const fast::VersionRun& first_base = execution.runs[0];
  const fast::VersionRun& first_head = execution.runs[1];
  compared.damages_heap = first_head.damages_heap && !first_base.damages_heap;
  const bool is_same = behave_the_same(first_base, first_head);
  if (is_same && !compared.damages_heap) return compared;
  const interact::IgnoredLines ignored{settings_.ignored};
  interact::Behaviour base = behaviour_of(first_base), head = behaviour_of(first_head);
  compared.aspects = interact::differing(base, head, ignored);
  if (compared.aspects.empty() && !compared.damages_heap) return compared;
  if (settings_.golden > 0 && !compared.aspects.empty()) {
    const Expected<Execution> all = execute(input, 2 + settings_.golden, false);
    if (!all) return tl::unexpected(all.error());
    head = behaviour_of(all->runs[1]);
    for (size_t i = 0; i < settings_.golden; ++i)
      if (!interact::differing(head, behaviour_of(all->runs[2 + i]), ignored).empty())
        compared.wrong_for |= uint64_t{1} << i;
  }
  uint64_t kind = mixed(compared.wrong_for, compared.damages_heap);
  for (const interact::Aspect aspect : compared.aspects)
    kind = mixed(kind, static_cast<uint64_t>(aspect) + 1);
  for (const interact::Behaviour* one : {&base, &head}) {
    kind = mixed(kind, static_cast<uint64_t>(one->exit_code));
    kind = mixed(kind, static_cast<uint64_t>(one->signal));
  }
  compared.kind = kind | 1;
  return compared;
}

uint32_t FuzzLoop::way_of(uint64_t kind, uint64_t changes) {
  const auto [found, is_new] =
      way_numbers_.try_emplace(mixed(kind, changes), static_cast<uint32_t>(ways_.size()));
  if (is_new) {
    ways_.emplace_back();
    ways_.back().same_as = found->second;
  }
  return found->second;
}

Expected<void> FuzzLoop::count_difference(const ProgramInput& input, TraceNumber trace,
                                          const Compared& compared) {
  ++differing_;
  const uint32_t number = way_of(compared.kind, changes_key(trace));
  ++ways_[number].inputs;
  if (ways_[number].inputs >= ways_[number].told_at && !ways_[ways_[number].same_as].is_done) {
    ways_[number].told_at *= 10;
    if (const Expected<void> told = tell(input, compared, changes_key(trace), number); !told) return told;
    if (trace != kNoNode) corpus_.mark_known(changes_key(trace));
  }
  if (trace != kNoNode) ++tally_[{trace, ways_[number].same_as}];
  return {};
}

// Golden versions tell errors apart; without any, sequences do, and a smaller input must keep its own.
Expected<void> FuzzLoop::tell(const ProgramInput& input, const Compared& compared, uint64_t changes,
                              uint32_t way) {
  FoundDifference found;
  found.is_new_kind = kinds_.insert(compared.kind).second;
  if (found.is_new_kind) last_new_ = executions_;
  Expected<void> status;
  const auto still = [&](const ProgramInput& smaller) {
    if (!status || Clock::now() >= deadline_ || !settings_.room.allows(smaller) ||
        avoided_.contains(hash_of(smaller)))
      return false;
    const Expected<Execution> execution = execute(smaller, 2, false);
    if (!execution) {
      status = tl::unexpected(execution.error());
      return false;
    }
    const TraceNumber trace = trace_of(*execution);
    const Expected<Compared> now = compare(smaller, *execution);
    if (!now) status = tl::unexpected(now.error());
    return now && now->kind == compared.kind &&
           (settings_.golden > 0 || trace == kNoNode || changes_key(trace) == changes);
  };
  Expected<Execution> execution = execute(input, 2, false);
  if (!execution) return tl::unexpected(execution.error());
  const size_t steps = !execution->ran_here ? kStepsInProcesses
                       : found.is_new_kind  ? kStepsOfFirst
                                            : kStepsOfOthers;
  found.input = interact::Differential::minimise(input, still, steps);
  if (!status) return status;
  const auto [known, is_new] = told_.try_emplace(hash_of(found.input), way);
  ways_[way].same_as = ways_[known->second].same_as;
  if (!is_new && known->second != way) return {};
  execution = execute(found.input, 2, false);
  if (!execution) return tl::unexpected(execution.error());
  const TraceNumber trace = trace_of(*execution);
  keep(found.input, *execution, trace, {.is_step = false, .is_in_code = true});
  if (trace != kNoNode) {
    found.has_trace = true;
    found.nodes = traces_[trace].nodes;
    found.changes = traces_[trace].changes;
    corpus_.mark_known(changes_key(trace));
  }
  found.at_execution = executions_;
  found.way = way;
  found.wrong_for = compared.wrong_for;
  found.damages_heap = compared.damages_heap;
  listener_.differs(found);
  return {};
}

SliceReport FuzzLoop::report() {
  SliceReport report;
  report.executions = executions_;
  report.in_processes = in_processes_;
  report.differing = differing_;
  report.corpus = corpus_.entries().size();
  report.edges = head_coverage_.reached_edges();
  report.since_new = executions_ - last_new_;
  report.is_exhausted = repeated_ >= kExhausted;
  for (; traces_told_ < traces_.size(); ++traces_told_) {
    const Trace& trace = traces_[static_cast<TraceNumber>(traces_told_)];
    report.new_traces.push_back({trace.nodes, trace.changes, trace.repeated});
  }
  for (const auto& [what, inputs] : tally_) report.counts.push_back({what.first, what.second, inputs});
  tally_.clear();
  for (const CorpusEntry* entry : corpus_.nearest(kMostNearest)) report.nearest.push_back(entry->input);
  return report;
}

}  // namespace heddle::fuzz
