#include "interpreter.h"

#include <algorithm>
#include <random>

#include "explore/effect.h"
#include "machine.h"

namespace heddle {
namespace {

using trace::StepKind;

// Follows a plan, as the runtime does.
class Interpreter {
 public:
  Interpreter(const Program& program, const Plan& plan)
      : program_(program), plan_(plan), machine_(program), random_(plan.then.seed) {}

  Run run() {
    Observation& seen = run_.seen;
    while (!machine_.is_over() && !seen.diverged) {
      std::vector<Choice> alternatives = machine_.alternatives();
      if (alternatives.empty()) break;
      if (seen.steps.size() >= program_.max_steps) {
        seen.outcome = trace::OutcomeKind::kLivelock;
        break;
      }
      Choice chosen;
      if (!choose(alternatives, &chosen)) break;
      execute(chosen, std::move(alternatives));
    }
    if (machine_.outcome() != trace::OutcomeKind::kOk) {
      seen.outcome = machine_.outcome();
    } else if (!machine_.is_over() && !machine_.all_ended() && machine_.alternatives().empty()) {
      seen.outcome = trace::OutcomeKind::kDeadlock;
    }
    seen.pending = machine_.pending();
    run_.final_state = std::to_string(static_cast<int>(seen.outcome)) + ":" + machine_.describe();
    return std::move(run_);
  }

 private:
  bool choose(const std::vector<Choice>& alternatives, Choice* chosen) {
    const size_t at = run_.seen.steps.size();
    if (at < plan_.prefix.size()) {
      *chosen = plan_.prefix[at];
      run_.seen.diverged = !contains(alternatives, *chosen);
      return !run_.seen.diverged;
    }
    if (at == plan_.prefix.size()) asleep_ = plan_.asleep;
    std::vector<Choice> awake;
    for (const Choice& choice : alternatives) {
      const bool sleeps = std::any_of(asleep_.begin(), asleep_.end(),
                                      [&](const Sleeper& sleeper) { return sleeper.choice == choice; });
      if (!sleeps) awake.push_back(choice);
    }
    run_.seen.blocked = awake.empty();
    if (!awake.empty()) *chosen = by_policy(awake);
    return !awake.empty();
  }

  Choice by_policy(const std::vector<Choice>& awake) {
    if (plan_.then.kind == trace::PolicyKind::kRandom) return awake[random_() % awake.size()];
    const Choice goes_on{current_, StepKind::kRun};
    if (streak_ < program_.patience && contains(awake, goes_on)) return goes_on;
    for (const Choice& choice : awake) {
      if (choice.kind == StepKind::kRun && choice.thread > current_) return choice;
    }
    for (const Choice& choice : awake) {
      if (choice.kind == StepKind::kRun) return choice;
    }
    return awake[0];
  }

  void execute(const Choice& chosen, std::vector<Choice> alternatives) {
    streak_ = chosen.thread == current_ && streak_ < program_.patience ? streak_ + 1 : 0;
    current_ = chosen.thread;
    std::vector<ObservedStep>& steps = run_.seen.steps;
    steps.push_back({chosen, std::move(alternatives), {}});
    Machine::Executed executed = machine_.execute(&steps.back());
    wake_sleepers(steps.back());
    if (!executed.to_choose.empty()) choose_whom_to_wake(&executed);
    for (const uint32_t thread : executed.woken)
      std::erase_if(asleep_, [&](const Sleeper& sleeper) { return sleeper.choice.thread == thread; });
  }

  void choose_whom_to_wake(Machine::Executed* executed) {
    std::vector<Choice> alternatives;
    for (const uint32_t thread : executed->to_choose) alternatives.push_back({thread, StepKind::kWake});
    const size_t at = run_.seen.steps.size();
    Choice chosen = alternatives[0];
    if (at < plan_.prefix.size()) {
      chosen = plan_.prefix[at];
      run_.seen.diverged = !contains(alternatives, chosen);
      if (run_.seen.diverged) return;
    } else if (plan_.then.kind == trace::PolicyKind::kRandom) {
      chosen = alternatives[random_() % alternatives.size()];
    }
    run_.seen.steps.push_back({chosen, alternatives, {}});
    machine_.wake(chosen.thread);
    executed->woken.push_back(chosen.thread);
  }

  void wake_sleepers(const ObservedStep& step) {
    std::erase_if(asleep_, [&](const Sleeper& sleeper) {
      const Choice& choice = sleeper.choice;
      if (choice.thread == step.chosen.thread) return true;
      const auto pending = machine_.pending_operations(choice.thread, sleeper.looks_only);
      return depend(effects_of(pending, choice), effects_of(step.operations, step.chosen));
    });
  }

  const Program& program_;
  const Plan& plan_;
  Machine machine_;
  std::vector<Sleeper> asleep_;
  std::mt19937_64 random_;
  uint32_t current_ = 0;
  uint32_t streak_ = 0;  // steps since the last switch
  Run run_;
};

}  // namespace

Instruction read(int variable, int reg) {
  return {.code = Code::kRead, .target = variable, .reg = reg};
}
Instruction write(int variable, int value) {
  return {.code = Code::kWrite, .target = variable, .value = value};
}
Instruction on(Code code, int target, int value, int reg) {
  return {.code = code, .target = target, .value = value, .reg = reg};
}

Run interpret(const Program& program, const Plan& plan) {
  return Interpreter(program, plan).run();
}

std::string print(const Program& program) {
  std::string text;
  for (size_t t = 0; t < program.threads.size(); ++t) {
    text += "thread " + std::to_string(t) + ":\n";
    for (const Instruction& i : program.threads[t]) {
      text += "  code " + std::to_string(static_cast<int>(i.code)) + " target " + std::to_string(i.target) +
              " value " + std::to_string(i.value) + " reg " + std::to_string(i.reg) + " expected " +
              std::to_string(i.expected) + "\n";
    }
  }
  return text;
}

}  // namespace heddle
