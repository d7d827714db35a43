// POS with constraints on who reads from whom, after the scheduler of Wolff, Shi, Duck, Mathur and
// Roychoudhury, "Greybox Fuzzing for Concurrency Testing", ASPLOS 2024.
//
// The tool names pairs of statements, and each pair is watched by a small automaton that wants some threads
// to wait and others to hurry. That is no more than a wish: whoever waits goes on when nobody else can, and
// an automaton that has made others wait for very long gives up.
#include "runtime/address_space.h"
#include "runtime/policy.h"
#include "runtime/statement.h"
#include "trace/reads_from.h"

namespace heddle::rt {
namespace {

using trace::ArenaTableId;
using trace::ConstraintKind;
using trace::ConstraintRecord;

// Steps of an execution at which somebody may have to wait; then all constraints are off. What others do then
// may be waiting, too, in a way that nobody recognises.
inline constexpr uint64_t kPatience = 20000;

// How candidates are ranked. Who yields comes after those who are to wait: it may be one of them that it
// yields for.
inline constexpr int kGoesAhead = 1;
inline constexpr int kWaits = -1;
inline constexpr int kYields = -2;

struct Automaton {
  const Fiber* writer;  // of the write, if it was the last one to `address`; else null
  uintptr_t address;
  uint64_t size;
  bool done;  // nothing more is wanted
};

struct ReadsFromState {
  Automaton* automata;  // one for each constraint
  size_t count;
  size_t room;
  uint64_t delays;  // steps at which somebody had to wait
};
HEDDLE_WORLD ReadsFromState state;

const ConstraintRecord* constraints() {
  return table<ConstraintRecord>(ArenaTableId::kInputConstraints);
}

// What a pending operation is to a constraint.
struct Role {
  bool reads;   // it is the read
  bool writes;  // it is the write
  bool meets;   // it is on the location that was written to
  bool fits;    // … and if it is the read, it would read from the write
};

Role role_of(Fiber* fiber, const ConstraintRecord& constraint, const Automaton& automaton) {
  const uint64_t statement = statement_of(fiber);
  const Op& op = fiber->op;
  const bool meets = automaton.writer != nullptr && op.object < automaton.address + automaton.size &&
                     automaton.address < op.object + op.size;
  return {statement == constraint.read, statement == constraint.write, meets,
          meets && (automaton.writer == fiber) == (constraint.own != 0)};
}

int wish_for(Fiber* fiber, const ConstraintRecord& constraint, const Automaton& automaton) {
  if (automaton.done) return 0;
  const Role role = role_of(fiber, constraint, automaton);
  switch (constraint.kind) {
    case ConstraintKind::kReadsFrom:
      if (role.reads && role.fits) return kGoesAhead;
      if (role.reads) return role.meets || (automaton.writer == nullptr && !role.writes) ? kWaits : 0;
      return role.meets && trace::can_be_read_from(fiber->op.kind) ? kWaits : 0;
    case ConstraintKind::kReadsFromAnother:
      return role.reads && role.fits ? kWaits : 0;
    case ConstraintKind::kReadsBefore:
      return role.writes && !role.reads ? kWaits : 0;
  }
  return 0;
}

void note_executed(Fiber* fiber, const ConstraintRecord& constraint, Automaton& automaton) {
  const Role role = role_of(fiber, constraint, automaton);
  if (role.reads && (constraint.kind == ConstraintKind::kReadsBefore ||
                     (constraint.kind == ConstraintKind::kReadsFrom && role.fits))) {
    automaton.done = true;
  } else if (role.writes) {
    automaton.writer = fiber;
    automaton.address = fiber->op.object;
    automaton.size = fiber->op.size;
  } else if (role.meets && trace::can_be_read_from(fiber->op.kind)) {
    automaton.writer = nullptr;
  }
}

// What all constraints together wish; they are weighed against each other.
int wish_for(const Candidate& candidate) {
  if (candidate.kind != trace::StepKind::kRun) return 0;
  int sum = 0;
  for (size_t i = 0; i < state.count; ++i) {
    sum += wish_for(candidate.fiber, constraints()[i], state.automata[i]);
  }
  return sum < 0 ? kWaits : sum > 0 ? kGoesAhead : 0;
}

int rank_of(const Candidate& candidate) {
  return candidate.fiber->priority == kLowestPriority ? kYields : wish_for(candidate);
}

// One that was to wait goes on: perhaps what the others yield for comes now, and before the next one goes on
// they look.
void forget_yields() {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (rt.live[i]->priority == kLowestPriority) rt.live[i]->priority = 0;
  }
}

}  // namespace

void reads_from_begin_execution() {
  state.count = 0;
  state.delays = 0;
  if (rt.request.policy != trace::PolicyKind::kReadsFrom) return;
  state.count = descriptor(ArenaTableId::kInputConstraints).count;
  if (state.room < state.count) {
    state.automata = static_cast<Automaton*>(own_memory(state.count * sizeof(Automaton)));
    state.room = state.count;
  }
  for (size_t i = 0; i < state.count; ++i) state.automata[i] = {};
}

size_t reads_from_choose(const Question& question) {
  if (state.count == 0) return pos_choose(question);
  pos_draw(question);
  size_t best = question.count;
  int best_rank = 0;
  bool somebody_waits = false;
  for (size_t i = 0; i < question.count; ++i) {
    if (!is_allowed(question, i)) continue;
    const int rank = rank_of(question.candidates[i]);
    somebody_waits |= rank == kWaits;
    const bool is_better = best == question.count || rank > best_rank ||
                           (rank == best_rank && question.candidates[i].fiber->priority >
                                                     question.candidates[best].fiber->priority);
    if (!is_better) continue;
    best = i;
    best_rank = rank;
  }
  const Candidate& chosen = question.candidates[best];
  if (chosen.kind == trace::StepKind::kRun) {
    for (size_t i = 0; i < state.count; ++i) note_executed(chosen.fiber, constraints()[i], state.automata[i]);
  }
  if (best_rank == kWaits) forget_yields();
  if (somebody_waits && ++state.delays == kPatience) state.count = 0;
  pos_note_chosen(chosen.fiber);
  return best;
}

}  // namespace heddle::rt
