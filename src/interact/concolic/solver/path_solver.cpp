#include "interact/concolic/solver/path_solver.h"

#include <algorithm>
#include <deque>
#include <map>

#include "interact/concolic/solver/evaluate.h"
#include "interact/concolic/solver/path_slice.h"
#include "interact/concolic/solver/structure_hash.h"
#include "interact/concolic/solver/z3_terms.h"
#include "support/check.h"

namespace heddle::concolic {

struct PathIndex::Parts {
  explicit Parts(Recording given)
      : recording(std::move(given)), slice(recording), hashes(structure_hashes(recording)) {
    uint64_t prefix = 0;
    prefix_keys.reserve(recording.events.size());
    for (const Event& event : recording.events) {
      prefix_keys.push_back(prefix);
      if (!is_branch(event)) continue;
      const StructureHash here = constraint_hash({prefix, event.site}, event.taken != 0);
      prefix = here.upper ^ here.lower;
    }
  }

  const Recording recording;
  const PathSlice slice;
  const std::vector<StructureHash> hashes;
  std::vector<uint64_t> prefix_keys;  // of what comes before an event
};

PathIndex::PathIndex(Recording recording) : parts_(std::make_unique<Parts>(std::move(recording))) {}
PathIndex::PathIndex(PathIndex&&) noexcept = default;
PathIndex& PathIndex::operator=(PathIndex&&) noexcept = default;
PathIndex::~PathIndex() = default;

const Recording& PathIndex::recording() const {
  return parts_->recording;
}

std::vector<size_t> PathIndex::constraints_for(size_t event) const {
  return parts_->slice.constraints_for(event);
}

uint64_t PathIndex::own_key(size_t event) const {
  const Event& branch = parts_->recording.events[event];
  const StructureHash hash = constraint_hash({parts_->prefix_keys[event], branch.site}, branch.taken != 0);
  return hash.upper ^ hash.lower;
}

uint64_t PathIndex::prefix_key(size_t event) const {
  const Event& branch = parts_->recording.events[event];
  const StructureHash hash = constraint_hash({parts_->prefix_keys[event], branch.site}, branch.taken == 0);
  return hash.upper ^ hash.lower;
}

namespace {

struct Constraint {
  uint32_t condition;
  bool holds;
  bool is_address;
};

z3::expr can_be_typed(const z3::expr& byte) {
  z3::context& context = byte.ctx();
  const auto is = [&](unsigned value) { return byte == context.bv_val(value, 8); };
  return (z3::uge(byte, context.bv_val(' ', 8)) && z3::ule(byte, context.bv_val('~', 8))) || is('\n') ||
         is('\t') || is(0);
}

// Sizes and counts have limits, which the recording knows nothing of.
z3::expr is_possible(const InputPlace& place, const z3::expr& size, const InputLimits& limits) {
  const unsigned width = size.get_sort().bv_size();
  const SourceKind kind = source_kind(place.source);
  const bool is_count = kind == SourceKind::kArgumentCount;
  const uint64_t least = is_count ? uint64_t{limits.least_arguments} + 1 : 0;  // with the program's name
  const uint64_t most = is_count                                 ? uint64_t{limits.most_arguments} + 1
                        : kind == SourceKind::kStandardInputSize ? limits.longest_standard_input
                                                                 : limits.longest_file;
  return z3::uge(size, size.ctx().bv_val(least, width)) && z3::ule(size, size.ctx().bv_val(most, width));
}

constexpr uint64_t kNearSizes = 16;

z3::expr is_near(const z3::expr& size, uint64_t recorded) {
  return z3::ule(size, size.ctx().bv_val(recorded + kNearSizes, size.get_sort().bv_size()));
}

bool is_character(const InputPlace& place) {
  const SourceKind kind = source_kind(place.source);
  return kind == SourceKind::kArgument || kind == SourceKind::kStandardInput || kind == SourceKind::kFile;
}

}  // namespace

struct PathSolver::State {
  explicit State(SolverOptions given) : options(given) {}

  Solution solve(const PathIndex& path, const std::vector<Constraint>& constraints);
  Solution ask_z3(const Recording& recording, const std::vector<Constraint>& constraints);
  std::optional<Assignment> try_models(const Recording& recording, const std::vector<Constraint>& constraints,
                                       const std::vector<InputPlace>& places) const;
  bool adds_new_characters(z3::solver& solver, const Z3Terms& terms) const;
  void remember(const Assignment& model);
  void add_fixed_values(const PathIndex& path, const std::vector<InputPlace>& places,
                        std::vector<StructureHash>& key) const;

  SolverOptions options;
  SolverCounts counts;
  std::map<std::vector<StructureHash>, Solution> cache;
  std::deque<Assignment> models;  // the latest first
};

namespace {

bool all_hold(const Recording& recording, const std::vector<Constraint>& constraints,
              const Assignment& values) {
  Evaluator evaluator(recording, values);
  return std::all_of(constraints.begin(), constraints.end(), [&](const Constraint& constraint) {
    return (evaluator.value(constraint.condition) != 0) == constraint.holds;
  });
}

std::vector<InputPlace> places_of(const PathSlice& slice, const std::vector<Constraint>& constraints) {
  std::vector<uint32_t> inputs;
  for (const Constraint& constraint : constraints) {
    const std::vector<uint32_t>& some = slice.inputs_of(constraint.condition);
    inputs.insert(inputs.end(), some.begin(), some.end());
  }
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::vector<InputPlace> places;
  for (const uint32_t input : inputs) places.push_back(slice.places()[input]);
  return places;
}

}  // namespace

std::optional<Assignment> PathSolver::State::try_models(const Recording& recording,
                                                        const std::vector<Constraint>& constraints,
                                                        const std::vector<InputPlace>& places) const {
  for (const Assignment& model : models) {
    Assignment values;
    for (const InputPlace& place : places) {
      const auto found = is_fixed(place, options.input) ? model.end() : model.find(place);
      if (found != model.end()) values.insert(*found);
    }
    if (!values.empty() && all_hold(recording, constraints, values)) return values;
  }
  return std::nullopt;
}

void PathSolver::State::remember(const Assignment& model) {
  models.push_front(model);
  if (models.size() > options.models_to_try) models.pop_back();
}

// Where an argument ended, new characters are the one that inputs grow with. False: there are none.
bool PathSolver::State::adds_new_characters(z3::solver& solver, const Z3Terms& terms) const {
  bool is_any_new = false;
  for (const auto& [place, term] : terms.inputs()) {
    if (source_kind(place.source) != SourceKind::kArgument || terms.recorded(place) != 0) continue;
    if (!is_any_new) solver.push();
    is_any_new = true;
    const unsigned character = static_cast<unsigned char>(options.input.grows_with);
    solver.add(term == term.ctx().bv_val(character, 8) || term == term.ctx().bv_val(0, 8));
  }
  if (!is_any_new) return false;
  for (const auto& [place, term] : terms.inputs())
    solver.add(is_character(place) ? can_be_typed(term) : is_near(term, terms.recorded(place)));
  return true;
}

Solution PathSolver::State::ask_z3(const Recording& recording, const std::vector<Constraint>& constraints) {
  const auto begin = std::chrono::steady_clock::now();
  Solution solution;
  ++counts.solver_calls;
  try {
    z3::context context;
    z3::solver solver(context, "QF_BV");
    z3::params parameters(context);
    parameters.set("timeout", static_cast<unsigned>(options.timeout.count()));
    parameters.set("ctrl_c", false);  // interruptions are heddle's own (support/interruption.h)
    solver.set(parameters);
    Z3Terms terms(context, recording, options.input);
    for (const Constraint& constraint : constraints)
      solver.add(terms.condition(constraint.condition, constraint.holds));
    z3::check_result result = z3::unknown;
    for (const auto& [place, term] : terms.inputs()) {
      if (!is_character(place)) solver.add(is_possible(place, term, options.input));
    }
    if (options.grows_evenly && adds_new_characters(solver, terms)) {
      result = solver.check();
      if (result != z3::sat) solver.pop();
    }
    if (options.prefers_typical && result != z3::sat) {
      solver.push();
      for (const auto& [place, term] : terms.inputs())
        solver.add(is_character(place) ? can_be_typed(term) : is_near(term, terms.recorded(place)));
      result = solver.check();
      if (result == z3::unsat) solver.pop();
    }
    // What took all the time with fewer values to choose from takes no less with more.
    if (result == z3::unsat || !options.prefers_typical) result = solver.check();
    if (result == z3::unsat) solution.kind = Solution::Kind::kUnsatisfiable;
    if (result == z3::sat) {
      solution.kind = Solution::Kind::kSolved;
      const z3::model model = solver.get_model();
      for (const auto& [place, term] : terms.inputs())
        solution.values[place] = model.eval(term, true).get_numeral_uint64();
    }
  } catch (const z3::exception&) {
    solution.kind = Solution::Kind::kUnknown;  // out of time or memory in the middle of something
  }
  counts.solver_time += std::chrono::steady_clock::now() - begin;
  return solution;
}

// The rest of the key does not tell what is constant because it is fixed.
void PathSolver::State::add_fixed_values(const PathIndex& path, const std::vector<InputPlace>& places,
                                         std::vector<StructureHash>& key) const {
  for (const InputPlace& place : places)
    if (is_fixed(place, options.input))
      key.push_back({uint64_t{place.source} << 32 | place.offset, path.parts_->slice.recorded(place)});
}

Solution PathSolver::State::solve(const PathIndex& path, const std::vector<Constraint>& constraints) {
  const Recording& recording = path.recording();
  std::vector<StructureHash> key;
  for (const Constraint& constraint : constraints)
    key.push_back(constraint_hash(path.parts_->hashes[constraint.condition], constraint.holds));
  std::sort(key.begin(), key.end());
  const std::vector<InputPlace> places = places_of(path.parts_->slice, constraints);
  add_fixed_values(path, places, key);
  if (const auto known = cache.find(key); known != cache.end()) {
    ++counts.cache_hits;
    Solution solution = known->second;
    solution.was_cached = true;
    return solution;
  }
  Solution solution;
  if (std::optional<Assignment> values = try_models(recording, constraints, places)) {
    ++counts.model_hits;
    solution.kind = Solution::Kind::kSolved;
    solution.values = std::move(*values);
    return solution;  // other places keep the values of this execution: not for the cache
  }
  solution = ask_z3(recording, constraints);
  if (solution.kind == Solution::Kind::kUnknown) ++counts.unknown;
  if (solution.kind == Solution::Kind::kSolved) remember(solution.values);
  if (cache.size() >= options.most_cached) cache.clear();
  cache[std::move(key)] = solution;
  return solution;
}

PathSolver::PathSolver(SolverOptions options) : state_(std::make_unique<State>(options)) {}
PathSolver::PathSolver(PathSolver&&) noexcept = default;
PathSolver::~PathSolver() = default;

Solution PathSolver::other_side(const PathIndex& path, size_t event) {
  const Recording& recording = path.recording();
  HEDDLE_CHECK(event < recording.events.size() && is_branch(recording.events[event]));
  std::vector<Constraint> constraints;
  for (const size_t other : path.constraints_for(event)) {
    const Event& before = recording.events[other];
    constraints.push_back({before.condition, before.taken != 0, before.kind == SiteKind::kAddress});
  }
  const Event& branch = recording.events[event];
  constraints.push_back({branch.condition, branch.taken == 0, false});
  ++state_->counts.queries;
  state_->counts.constraints += constraints.size();
  Solution solution = state_->solve(path, constraints);
  const size_t all = constraints.size();
  if (solution.kind == Solution::Kind::kSolved) return solution;
  std::erase_if(constraints, [](const Constraint& constraint) { return constraint.is_address; });
  if (constraints.size() == all) return solution;
  solution = state_->solve(path, constraints);
  solution.is_exact = false;
  return solution;
}

Solution PathSolver::condition_alone(const PathIndex& path, size_t event) {
  const Recording& recording = path.recording();
  HEDDLE_CHECK(event < recording.events.size() && is_branch(recording.events[event]));
  const Event& branch = recording.events[event];
  ++state_->counts.queries;
  ++state_->counts.constraints;
  Solution solution = state_->solve(path, {{branch.condition, branch.taken == 0, false}});
  solution.is_exact = false;
  return solution;
}

const SolverCounts& PathSolver::counts() const {
  return state_->counts;
}

}  // namespace heddle::concolic
