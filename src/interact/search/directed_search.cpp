#include "interact/search/directed_search.h"

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "interact/search/first_inputs.h"
#include "interact/search/path_store.h"
#include "interact/search/path_walk.h"
#include "interact/search/site_map.h"
#include "interact/search/state_queue.h"
#include "interact/search/targets.h"
#include "support/interruption.h"

namespace heddle::interact {
namespace {

using concolic::Event;
using concolic::PathIndex;
using concolic::ProgramInput;
using concolic::SiteKind;
using concolic::Solution;

constexpr uint64_t kMostBytesOfPaths = uint64_t{512} << 20;

// States of one kind that a path opens at once: in a loop over 10^5 characters, the first ones.
constexpr uint32_t kStatesAtOnce = 8;

// What is spent on a kind. An attempt is the unit; queries that are large or give no answer cost more, and an
// execution that took the side by itself leaves less to be found there.
constexpr uint64_t kAttempt = 8;
constexpr uint64_t kPassing = 1;
constexpr uint64_t kNoAnswer = 16 * kAttempt;
constexpr uint64_t kTimedOut = 64 * kAttempt;
constexpr size_t kConstraintsOfAttempt = 128;

// What is no decision of the program leads to where the program was before, with other values.
uint64_t cost_factor(SiteKind kind) {
  switch (kind) {
    case SiteKind::kBranch:
    case SiteKind::kSwitchCase:
      return 1;
    case SiteKind::kAddress:
      return 4;
    default:
      return 8;
  }
}

// The number of arguments tells states apart even where no branch has asked for it: many programs look for
// the end of argv instead.
uint64_t shape_key(const ProgramInput& input) {
  return input.arguments.size() * 0x9e3779b97f4a7c15U;
}

// Numbers, words and names of files alike can begin with digits.
concolic::SolverOptions solver_options(concolic::SolverOptions options) {
  options.grows_evenly = true;
  return options;
}

}  // namespace

struct DirectedSearch::State {
  State(const ProgramGraph& of, concolic::ConcolicRunner& with, const SearchOptions& given)
      : graph(of),
        runner(with),
        options(given),
        sites(of, with.sites()),
        targets(of.flow.flow, of.graph, given.guide),
        queue([this](const StateKind& kind) { return cost(kind); }, given.random_share, given.seed),
        solver(solver_options(given.solver)),
        paths(with, kMostBytesOfPaths) {}

  uint64_t cost(const StateKind& kind);
  Expected<void> begin();
  std::optional<ProgramInput> next_seed();
  // The input that a state is solved by, if it is a new one.
  struct Solved {
    ProgramInput input;
    PathStore::Path path;  // that it was solved for; null: for the branch alone
  };
  Expected<std::optional<Solved>> solve(const StateQueue::Taken& taken);
  Expected<void> open_rest(const StateQueue::Taken& taken);
  Expected<SearchedInput> execute(const ProgramInput& input, std::set<uint32_t>* repeated = nullptr) const;
  void learn(SearchedInput& searched, const std::set<uint32_t>& repeated);
  void stretch(const ProgramInput& solved, const StateQueue::Taken& taken);
  void open_states(uint32_t number, const PathIndex& path, const StateQueue::Taken* rest);
  StateKind kind_of(const Event& event, const PathWalk& walk, bool side) const;

  const ProgramGraph& graph;
  concolic::ConcolicRunner& runner;
  const SearchOptions options;
  const SiteMap sites;
  Targets targets;
  StateQueue queue;
  concolic::PathSolver solver;
  PathStore paths;
  std::deque<ProgramInput> seeds;
  std::set<ProgramInput> executed;
  std::unordered_set<uint64_t> known_states;  // open, tried, or executed
  std::unordered_set<StateQueue::KindIndex> stretched;
  SearchCounts counts;
  bool has_begun = false;
};

uint64_t DirectedSearch::State::cost(const StateKind& kind) {
  const concolic::Site& site = runner.sites()[kind.site];
  // A function of the library decides for the call.
  const SiteMap::Mapped& mapped = sites.of(kind.caller != 0 ? kind.caller - 1 : kind.site);
  const std::vector<PointIndex>& to = kind.caller != 0 ? mapped.points
                                      : kind.side      ? mapped.if_taken
                                                       : mapped.if_not_taken;
  return targets.cost(kind.node, to) * cost_factor(site.kind);
}

Expected<void> DirectedSearch::State::begin() {
  has_begun = true;
  if (seeds.empty()) {
    Expected<std::vector<ProgramInput>> first = first_inputs(options.solver.input, runner.options().symbolic);
    if (!first) return tl::unexpected(first.error());
    seeds.assign(first->begin(), first->end());
  }
  for (ProgramInput& more :
       with_more_arguments(seeds.front(), options.solver.input, runner.options().symbolic))
    seeds.push_back(std::move(more));
  return {};
}

std::optional<ProgramInput> DirectedSearch::State::next_seed() {
  while (!seeds.empty()) {
    ProgramInput seed = std::move(seeds.front());
    seeds.pop_front();
    if (!executed.contains(seed)) return seed;
  }
  return std::nullopt;
}

Expected<std::optional<DirectedSearch::State::Solved>> DirectedSearch::State::solve(
    const StateQueue::Taken& taken) {
  const std::optional<Solved> nothing;
  queue.charge(taken.kind, kAttempt);
  const Expected<PathStore::Path> path = paths.path(taken.state.path);
  if (!path) return tl::unexpected(path.error());
  const bool is_there =
      *path != nullptr && taken.state.event < (*path)->recording().events.size() &&
      is_branch((*path)->recording().events[taken.state.event]) &&
      ((*path)->prefix_key(taken.state.event) ^ shape_key(paths.input(taken.state.path))) == taken.state.key;
  if (!is_there) return nothing;
  const uint64_t constraints = solver.counts().constraints;
  Solution solution = solver.other_side(**path, taken.state.event);
  const bool is_on_path = solution.kind != Solution::Kind::kUnsatisfiable;
  if (!is_on_path && !queue.is_covered(taken.kind))
    solution = solver.condition_alone(**path, taken.state.event);
  queue.charge(taken.kind, (solver.counts().constraints - constraints) * kAttempt / kConstraintsOfAttempt);
  if (solution.kind == Solution::Kind::kUnknown) queue.charge(taken.kind, kNoAnswer);
  if (solution.kind != Solution::Kind::kSolved) return nothing;
  ProgramInput input = with_values(paths.input(taken.state.path), solution.values, options.solver.input);
  if (executed.contains(input)) return nothing;
  return std::optional(Solved{std::move(input), is_on_path ? *path : nullptr});
}

Expected<void> DirectedSearch::State::open_rest(const StateQueue::Taken& taken) {
  const Expected<PathStore::Path> path = paths.path(taken.state.path);
  if (!path) return tl::unexpected(path.error());
  if (*path != nullptr) open_states(taken.state.path, **path, &taken);
  return {};
}

Expected<SearchedInput> DirectedSearch::State::execute(const ProgramInput& input,
                                                       std::set<uint32_t>* repeated) const {
  Expected<concolic::ConcolicRun> run = runner.run(input);
  if (!run) return tl::unexpected(run.error());
  SearchedInput searched;
  searched.input = input;
  searched.run = std::move(*run);
  PathWalk walk(graph.graph, sites);
  for (const Event& event : searched.run.recording.events) walk.pass(event);
  searched.sequence = walk.changes();
  if (repeated != nullptr) *repeated = walk.repeated();
  for (const uint32_t node : walk.nodes()) {
    searched.nodes.push_back(graph.graph.nodes[node].statement);
    searched.reached_output |= graph.graph.nodes[node].is_output;
  }
  return searched;
}

// A number or a word grows by a character with each solution, and what counts may be that it is long. So,
// once for each kind, what has become longer becomes much longer.
void DirectedSearch::State::stretch(const ProgramInput& solved, const StateQueue::Taken& taken) {
  std::optional<ProgramInput> longer =
      stretched_input(paths.input(taken.state.path), solved, options.solver.input);
  if (!longer || executed.contains(*longer) || !stretched.insert(taken.kind).second) return;
  ++counts.stretched;
  seeds.push_front(std::move(*longer));
}

void DirectedSearch::State::learn(SearchedInput& searched, const std::set<uint32_t>& repeated) {
  ++counts.executions;
  executed.insert(searched.input);
  std::vector<uint32_t> nodes;
  for (const StatementIndex statement : searched.nodes) nodes.push_back(graph.graph.node_of(statement));
  if (targets.reach(nodes, repeated)) queue.forget_costs();
  concolic::Recording& recording = searched.run.recording;
  if (recording.events.empty()) return;
  concolic::Recording taken = std::move(recording);
  recording = {};
  recording.reached_main = taken.reached_main;
  recording.stop = taken.stop;
  recording.mismatches = taken.mismatches;
  const auto path = std::make_shared<const PathIndex>(std::move(taken));
  open_states(paths.add(searched.input, path), *path, nullptr);
}

StateKind DirectedSearch::State::kind_of(const Event& event, const PathWalk& walk, bool side) const {
  const bool is_led = options.guide == Guide::kGraph;
  return {is_led ? walk.changes_key() : 0, is_led ? walk.last_node() : kNone, event.site, event.caller, side};
}

// The states that a path opens: the first ones of each kind; or those that follow of one kind, if `rest` is
// given.
void DirectedSearch::State::open_states(uint32_t number, const PathIndex& path,
                                        const StateQueue::Taken* rest) {
  const std::vector<Event>& events = path.recording().events;
  const uint64_t shape = shape_key(paths.input(number));
  PathWalk walk(graph.graph, sites);
  std::unordered_map<StateQueue::KindIndex, uint32_t> opened;
  std::unordered_set<StateQueue::KindIndex> passed;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    walk.pass(event);
    if (!is_branch(event)) continue;
    if (rest == nullptr) {
      const StateQueue::KindIndex own = queue.kind(kind_of(event, walk, event.taken != 0));
      if (passed.insert(own).second) {
        queue.charge(own, kPassing);
        queue.cover(own);
      }
    } else if (i < rest->state.event) {
      continue;
    }
    const StateQueue::KindIndex kind = queue.kind(kind_of(event, walk, event.taken == 0));
    if (rest != nullptr && kind != rest->kind) continue;
    uint32_t& count = opened[kind];
    if (count > kStatesAtOnce) continue;
    const uint64_t key = path.prefix_key(i) ^ shape;
    known_states.insert(path.own_key(i) ^ shape);
    if (known_states.contains(key)) continue;
    OpenState state{number, static_cast<uint32_t>(i), key, walk.changes_key(), ++count > kStatesAtOnce};
    if (!state.is_rest) known_states.insert(key);
    queue.add(kind, state);
  }
}

DirectedSearch::DirectedSearch(const ProgramGraph& graph, concolic::ConcolicRunner& runner,
                               const SearchOptions& options)
    : state_(std::make_unique<State>(graph, runner, options)) {}
DirectedSearch::~DirectedSearch() = default;

void DirectedSearch::add_seed(ProgramInput input) {
  state_->seeds.push_back(std::move(input));
}

Expected<std::optional<SearchedInput>> DirectedSearch::next(std::chrono::steady_clock::time_point deadline) {
  State& state = *state_;
  if (!state.has_begun)
    if (const Expected<void> begun = state.begin(); !begun) return tl::unexpected(begun.error());
  while (std::chrono::steady_clock::now() < deadline && !was_interrupted()) {
    std::optional<ProgramInput> input = state.next_seed();
    std::optional<StateQueue::Taken> taken;
    PathStore::Path path;
    if (!input) {
      taken = state.queue.take();
      if (!taken) return std::optional<SearchedInput>();
      if (taken->state.is_rest) {
        if (const Expected<void> opened = state.open_rest(*taken); !opened)
          return tl::unexpected(opened.error());
        continue;
      }
      Expected<std::optional<State::Solved>> solved = state.solve(*taken);
      if (!solved) return tl::unexpected(solved.error());
      if (!*solved) continue;
      input = std::move((*solved)->input);
      path = std::move((*solved)->path);
    }
    std::set<uint32_t> repeated;
    Expected<SearchedInput> searched = state.execute(*input, &repeated);
    if (!searched) return tl::unexpected(searched.error());
    if (taken) {
      searched->was_predicted =
          path != nullptr && takes_other_side(path->recording(), taken->state.event, searched->run.recording);
      ++(path == nullptr           ? state.counts.without_path
         : searched->was_predicted ? state.counts.predicted
                                   : state.counts.elsewhere);
      state.stretch(*input, *taken);
      if (searched->run.timed_out) state.queue.charge(taken->kind, kTimedOut);
    }
    state.learn(*searched, repeated);
    return std::optional(std::move(*searched));
  }
  return std::optional<SearchedInput>();
}

Expected<SearchedInput> DirectedSearch::execute(const ProgramInput& input) {
  return state_->execute(input);
}

void DirectedSearch::mark_known(const std::vector<StatementIndex>& sequence) {
  if (state_->options.guide == Guide::kGraph) state_->queue.mark_known(sequence_key(sequence));
}

SearchCounts DirectedSearch::counts() const {
  SearchCounts counts = state_->counts;
  counts.open_states = state_->queue.size();
  counts.solver = state_->solver.counts();
  counts.reached_edges = state_->targets.reached_edges();
  counts.repeated = state_->paths.repetitions();
  return counts;
}

}  // namespace heddle::interact
