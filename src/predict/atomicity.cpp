#include "predict/atomicity.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "predict/accesses.h"
#include "predict/candidates.h"
#include "predict/serializability.h"
#include "predict/witness_search.h"

namespace heddle {
namespace {

// What all attempts together may cost (see WitnessSearch::work), for each event of the trace and at least.
// Candidates whose accesses are near each other cost little and come first.
constexpr uint64_t kBudgetOfEvent = 16;
constexpr uint64_t kLeastBudget = 8'000'000;

class Predictor {
 public:
  Predictor(const TraceModel& model, const AtomicityOptions& options)
      : model_(model),
        options_(options),
        accesses_(model, options.variables != nullptr ? *options.variables : no_variables_,
                  options.frames != nullptr ? *options.frames : no_frames_, options.focus),
        witnesses_(model, options.reads_may_differ),
        finder_(accesses_, witnesses_, {.atomic_reads = options.atomic_reads, .focus = options.focus}) {}

  AtomicityReport predict() {
    Units units(accesses_, options_.units);
    for (size_t set = 0; set < accesses_.sets(); ++set) {
      const std::span<Access> own = accesses_.of_set(set);
      units.assign(own);
      finder_.search(set, own);
      find_cycles(set, own);
    }
    examine_candidates();
    for (const Cycle& cycle : cycles_)
      if (!is_named(cycle)) report_.observed.push_back(cycle.observed);
    say_what_was_left_out();
    return std::move(report_);
  }

 private:
  std::vector<bool> units_in_focus(std::span<const Access> own) const {
    std::vector<bool> units;
    for (const Access& access : own) {
      if (access.unit >= units.size()) units.resize(access.unit + 1);
      if (options_.focus.includes(access.event)) units[access.unit] = true;
    }
    return units;
  }

  // A cycle that happened, and the sites of the two units that close it.
  struct Cycle {
    ObservedCycle observed;
    std::set<uint32_t> earlier_sites;
    std::set<uint32_t> later_sites;
  };

  void find_cycles(size_t set, std::span<const Access> own) {
    const std::vector<bool> in_focus = units_in_focus(own);
    for (const UnitCycle& found : checker_.check(seen_by_check(own))) {
      if (cycles_.size() == options_.most_predictions) return;
      const auto unit_of = [&](EventIndex event) {
        return std::lower_bound(own.begin(), own.end(), event,
                                [](const Access& access, EventIndex at) { return access.event < at; })
            ->unit;
      };
      const uint32_t earlier = unit_of(found.earlier);
      const uint32_t later = unit_of(found.later);
      if (!in_focus[earlier] && !in_focus[later]) continue;
      if (!seen_cycles_.insert(sites(found.earlier, found.later)).second) continue;
      Cycle cycle{{found.earlier, found.later, accesses_.set(set)}, {}, {}};
      for (const Access& access : own) {
        if (access.unit == earlier) cycle.earlier_sites.insert(access.site);
        if (access.unit == later) cycle.later_sites.insert(access.site);
      }
      cycles_.push_back(std::move(cycle));
    }
  }

  // Patterns first: they say more. Then what is near each other, and among equals in the order that is fast.
  void examine_candidates() {
    std::vector<Candidate>& candidates = finder_.candidates();
    const auto rank = [](const Candidate& candidate) {
      return std::tuple(candidate.pattern == 0, std::bit_width(candidate.span()) / 8, candidate.begin,
                        candidate.group);
    };
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    predicted_.resize(finder_.groups());
    for (const Candidate& candidate : candidates) {
      if (report_.predictions.size() == options_.most_predictions) {
        report_.too_many_predictions = true;
        break;
      }
      examine(candidate);
    }
  }

  void examine(const Candidate& candidate) {
    uint32_t& known = predicted_[candidate.group];  // number of the prediction, plus 1
    if (known != 0 && !report_.predictions[known - 1].prediction.assumes_same_path) return;
    if (candidate.pattern == 0 && known == 0 && is_named(candidate)) return;
    if (witnesses_.work() >= budget_) {
      ++report_.untried;
      return;
    }
    std::optional<WitnessSearch::Answer> answer = witnesses_.find(candidate.order());
    if (!answer) {
      ++report_.infeasible;
      return;
    }
    if (known != 0 && answer->assumes_same_path) return;
    if (is_expected(candidate)) {
      ++report_.expected;
      return;
    }
    for_each_conflict(candidate, [&](EventIndex a, EventIndex b) { named_.insert(sites(a, b)); });
    if (known == 0) {
      report_.predictions.emplace_back();
      known = static_cast<uint32_t>(report_.predictions.size());
    }
    const std::span<const EventIndex> order = candidate.order();
    report_.predictions[known - 1] = {
        {.kind = candidate.pattern != 0 ? PredictionKind::kPattern : PredictionKind::kNotSerializable,
         .pattern = candidate.pattern,
         .events = {order.begin(), order.end()},
         .witness = std::move(answer->witness),
         .assumes_same_path = answer->assumes_same_path},
        accesses_.set(candidate.set)};
  }

  // What the check of serializability is to see of a set. Atomic reads expect others at work, and updates do
  // not mind each other; towards other writes they are reads.
  std::span<const Access> seen_by_check(std::span<const Access> own) {
    if (options_.atomic_reads) return own;
    seen_by_check_.clear();
    for (Access access : own) {
      if (access.is_atomic() && !access.writes()) continue;
      if (access.is_update()) access.does = Access::kReads;
      seen_by_check_.push_back(access);
    }
    return seen_by_check_;
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

  bool is_named(const Cycle& cycle) const {
    for (const auto& [one, other] : named_) {
      if ((cycle.earlier_sites.contains(one) && cycle.later_sites.contains(other)) ||
          (cycle.earlier_sites.contains(other) && cycle.later_sites.contains(one)))
        return true;
    }
    return false;
  }

  // In every schedule it happens in this order: one thread asks and the other answers.
  bool is_expected(const Candidate& candidate) {
    bool forced = true;
    for_each_conflict(candidate,
                      [&](EventIndex a, EventIndex b) { forced = forced && witnesses_.is_forced(a, b); });
    return forced;
  }

  void say_what_was_left_out() {
    report_.sets = accesses_.sets();
    report_.accesses = accesses_.size();
    report_.explored = finder_.explored();
    report_.candidates = finder_.candidates().size();
    report_.large_objects = accesses_.large_objects();
    report_.cut_blocks = accesses_.cut_blocks();
    report_.unchecked_sets = checker_.skipped_sets();
    report_.crowded_sets = finder_.crowded_sets();
    report_.atomic_reads = finder_.atomic_reads_left_out();
    report_.too_many_candidates = finder_.is_full();
    report_.memory_bytes = accesses_.memory_bytes() + witnesses_.memory_bytes() + checker_.memory_bytes() +
                           finder_.candidates().capacity() * sizeof(Candidate);
  }

  const TraceModel& model_;
  const AtomicityOptions& options_;
  const Variables no_variables_;
  const SourceFrames no_frames_;
  Accesses accesses_;
  WitnessSearch witnesses_;
  CandidateFinder finder_;
  SerializabilityChecker checker_;
  std::vector<Cycle> cycles_;
  std::set<std::pair<uint32_t, uint32_t>> seen_cycles_;
  uint64_t budget_ = std::max(kLeastBudget, kBudgetOfEvent* model_.size());
  std::vector<uint32_t> predicted_;  // by group: plus 1, the number of the prediction
  std::vector<Access> seen_by_check_;
  std::set<std::pair<uint32_t, uint32_t>> named_;  // sites of conflicting accesses in predictions
  AtomicityReport report_;
};

}  // namespace

std::vector<Prediction> all_predictions(const TraceModel& model, AtomicityReport report) {
  std::vector<Prediction> all;
  for (AtomicityPrediction& found : report.predictions) all.push_back(std::move(found.prediction));
  std::stable_partition(all.begin(), all.end(),
                        [](const Prediction& prediction) { return !prediction.assumes_same_path; });
  for (const ObservedCycle& cycle : report.observed) {
    Prediction& prediction = all.emplace_back();
    prediction.kind = PredictionKind::kNotSerializable;
    prediction.events = {cycle.earlier, cycle.later};
    prediction.observed = true;
    for (uint32_t thread = 0; thread < model.thread_count(); ++thread) {
      const std::span<const EventIndex> events = model.events_of(thread);
      const auto end = std::upper_bound(events.begin(), events.end(), cycle.later);
      prediction.witness.cut.push_back(static_cast<uint32_t>(end - events.begin()));
    }
  }
  return all;
}

std::vector<std::string> left_out(const AtomicityReport& report) {
  std::vector<std::string> sentences;
  const auto say = [&](uint64_t count, const char* one, const char* many) {
    if (count == 1) sentences.emplace_back(one);
    if (count > 1) sentences.push_back(fmt::format(fmt::runtime(many), count));
  };
  if (report.too_many_predictions) sentences.emplace_back("there are more predictions than are kept");
  if (report.too_many_candidates)
    sentences.push_back(
        fmt::format("only {} combinations of accesses were looked at", CandidateFinder::kMostCandidates));
  say(report.untried, "one combination of accesses was not tried, since it would take too long",
      "{} combinations of accesses were not tried, since it would take too long");
  say(report.crowded_sets, "one object has more combinations of accesses than are looked at",
      "{} objects have more combinations of accesses than are looked at");
  say(report.unchecked_sets, "one object is used by too many threads to be checked for serializability",
      "{} objects are used by too many threads to be checked for serializability");
  say(report.large_objects, "one object is so large that its parts were looked at one by one",
      "{} objects are so large that their parts were looked at one by one");
  say(report.cut_blocks, "of one large block operation only the beginning was looked at",
      "of {} large block operations only the beginning was looked at");
  return sentences;
}

AtomicityReport predict_atomicity(const TraceModel& model, const AtomicityOptions& options) {
  return Predictor(model, options).predict();
}

}  // namespace heddle
