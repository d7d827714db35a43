#include "predict/atomicity.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <utility>

#include "predict/accesses.h"
#include "predict/candidates.h"
#include "predict/interleaving.h"
#include "predict/serializability.h"

namespace heddle {
namespace {

// Events that all attempts together may look at: about so many for each of the trace. Candidates whose
// accesses are near each other cost little and come first.
constexpr uint64_t kBudgetOfEvent = 16;
constexpr uint64_t kLeastBudget = 20'000'000;

class Predictor {
 public:
  Predictor(const TraceModel& model, const AtomicityOptions& options)
      : model_(model),
        options_(options),
        accesses_(model, options.variables != nullptr ? *options.variables : no_variables_,
                  options.frames != nullptr ? *options.frames : no_frames_),
        interleaving_(model),
        finder_(accesses_, interleaving_, options.atomic_reads) {}

  AtomicityReport predict() {
    Units units(accesses_, options_.units);
    for (size_t set = 0; set < accesses_.sets(); ++set) {
      const std::span<Access> own = accesses_.of_set(set);
      report_.accesses += own.size();
      units.assign(own);
      finder_.search(set, own);
      for (const UnitCycle& cycle : checker_.check(own)) {
        if (seen_cycles_.insert(sites(cycle.earlier, cycle.later)).second)
          report_.observed.push_back({cycle.earlier, cycle.later, accesses_.set(set)});
      }
    }
    std::vector<Candidate>& candidates = finder_.candidates();
    // Patterns first: they say more. Then what costs least, and among equals in the order that is fast.
    const auto rank = [](const Candidate& candidate) {
      return std::tuple(candidate.pattern == 0, std::bit_width(candidate.cost()) / 4, candidate.begin,
                        candidate.group);
    };
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    is_predicted_.resize(finder_.groups());
    for (const Candidate& candidate : candidates) {
      if (report_.predictions.size() == options_.most_predictions) {
        report_.too_many_predictions = true;
        break;
      }
      examine(candidate);
    }
    std::erase_if(report_.observed, [&](const ObservedCycle& cycle) {
      return named_.contains(sites(cycle.earlier, cycle.later));
    });
    say_what_was_left_out();
    return std::move(report_);
  }

 private:
  void examine(const Candidate& candidate) {
    if (is_predicted_[candidate.group] || (candidate.pattern == 0 && is_named(candidate))) return;
    if (candidate.cost() > budget_) {
      ++report_.untried;
      return;
    }
    budget_ -= candidate.cost();
    std::optional<Witness> witness = interleaving_.find(candidate.order());
    if (!witness) {
      ++report_.infeasible;
      return;
    }
    if (is_expected(candidate)) {
      ++report_.expected;
      return;
    }
    is_predicted_[candidate.group] = true;
    for_each_conflict(candidate, [&](EventIndex a, EventIndex b) { named_.insert(sites(a, b)); });
    const std::span<const EventIndex> order = candidate.order();
    report_.predictions.push_back(
        {{.kind = candidate.pattern != 0 ? PredictionKind::kPattern : PredictionKind::kNotSerializable,
          .pattern = candidate.pattern,
          .events = {order.begin(), order.end()},
          .witness = std::move(*witness)},
         accesses_.set(candidate.set)});
  }

  // Accesses of the two threads whose order makes the trouble: of three accesses the first two and the last
  // two, of four those to the same location.
  template <typename Action>
  void for_each_conflict(const Candidate& candidate, Action&& action) const {
    const auto& e = candidate.events;
    if (candidate.length == 3) {
      action(e[0], e[1]);
      action(e[1], e[2]);
      return;
    }
    for (size_t i = 0; i < 4; ++i) {
      for (size_t j = i + 1; j < 4; ++j) {
        if (model_.thread_of(e[i]) != model_.thread_of(e[j]) && overlap(e[i], e[j])) action(e[i], e[j]);
      }
    }
  }

  bool overlap(EventIndex a, EventIndex b) const {
    if (!model_.writes(a) && !model_.writes(b)) return false;
    for (const TraceModel::Part& part : model_.parts_of(a)) {
      for (const TraceModel::Part& other : model_.parts_of(b))
        if (part.location == other.location && (part.bytes & other.bytes) != 0) return true;
    }
    return false;
  }

  std::pair<uint32_t, uint32_t> sites(EventIndex a, EventIndex b) const {
    return std::minmax(model_.site_of(a), model_.site_of(b));
  }

  bool is_named(const Candidate& candidate) const {
    bool named = false;
    for_each_conflict(candidate, [&](EventIndex a, EventIndex b) { named |= named_.contains(sites(a, b)); });
    return named;
  }

  // In every schedule it happens in this order: one thread asks and the other answers.
  bool is_expected(const Candidate& candidate) {
    bool forced = true;
    for_each_conflict(candidate,
                      [&](EventIndex a, EventIndex b) { forced = forced && interleaving_.is_forced(a, b); });
    return forced;
  }

  void say_what_was_left_out() {
    report_.sets = accesses_.sets();
    report_.candidates = finder_.candidates().size();
    report_.large_objects = accesses_.large_objects();
    report_.cut_blocks = accesses_.cut_blocks();
    report_.unchecked_sets = checker_.skipped_sets();
    report_.crowded_sets = finder_.crowded_sets();
    report_.atomic_reads = finder_.atomic_reads_left_out();
    report_.too_many_candidates = finder_.is_full();
  }

  const TraceModel& model_;
  const AtomicityOptions& options_;
  const Variables no_variables_;
  const SourceFrames no_frames_;
  Accesses accesses_;
  Interleaving interleaving_;
  CandidateFinder finder_;
  SerializabilityChecker checker_;
  std::set<std::pair<uint32_t, uint32_t>> seen_cycles_;
  uint64_t budget_ = std::max(kLeastBudget, kBudgetOfEvent* model_.size());
  std::vector<bool> is_predicted_;                 // by group
  std::set<std::pair<uint32_t, uint32_t>> named_;  // sites of conflicting accesses in predictions
  AtomicityReport report_;
};

}  // namespace

AtomicityReport predict_atomicity(const TraceModel& model, const AtomicityOptions& options) {
  return Predictor(model, options).predict();
}

}  // namespace heddle
