#include "interact/trial/differential.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "interact/trial/version_trial.h"

namespace heddle::interact {
namespace {

// A version that does one of two things at random does the same this many times more, and the other version
// the other, once in 2000 times.
constexpr unsigned kRepetitions = 6;
// Of a version that has been seen to differ from itself: what it does rarely is not seen often.
constexpr unsigned kMoreRepetitions = 12;
// Of one that does not end, each of which takes all its time.
constexpr unsigned kLongRepetitions = 2;
constexpr unsigned kGoldenRepetitions = 2;

void add(const std::vector<Aspect>& more, std::vector<Aspect>* aspects) {
  for (const Aspect aspect : more)
    if (std::find(aspects->begin(), aspects->end(), aspect) == aspects->end()) aspects->push_back(aspect);
}

std::vector<Aspect> without(std::vector<Aspect> aspects, const std::vector<Aspect>& others) {
  std::erase_if(aspects, [&](Aspect aspect) {
    return std::find(others.begin(), others.end(), aspect) != others.end();
  });
  return aspects;
}

}  // namespace

struct Differential::State {
  IgnoredLines ignored;
  std::vector<VersionTrial> versions;  // base, head, golden ones
  std::string confinement;

  VersionTrial& base() { return versions[0]; }
  VersionTrial& head() { return versions[1]; }

  Expected<void> repeat(VersionTrial& version, const concolic::ProgramInput& input, const Behaviour& first,
                        unsigned variation, std::vector<Aspect>* unstable) const;
  Expected<void> repeat_both(Differing* differing);
  Expected<void> ask_guarded(Differing* differing);
  Expected<void> run_golden(Differing* differing);
};

// Once more, to see in what the version differs from itself.
Expected<void> Differential::State::repeat(VersionTrial& version, const concolic::ProgramInput& input,
                                           const Behaviour& first, unsigned variation,
                                           std::vector<Aspect>* unstable) const {
  const Expected<Behaviour> again = version.run(input, variation);
  if (!again) return tl::unexpected(again.error());
  add(interact::differing(first, *again, ignored), unstable);
  return {};
}

Expected<void> Differential::State::repeat_both(Differing* differing) {
  const bool is_long = differing->base.was_ended() || differing->head.was_ended();
  const auto enough = [&] {
    if (is_long) return kLongRepetitions;
    return differing->unstable.empty() ? kRepetitions : kMoreRepetitions;
  };
  for (unsigned variation = 1; variation <= enough(); ++variation) {
    if (const auto done = repeat(base(), differing->input, differing->base, variation, &differing->unstable);
        !done)
      return done;
    if (const auto done = repeat(head(), differing->input, differing->head, variation, &differing->unstable);
        !done)
      return done;
    // Nothing is left to confirm.
    if (without(differing->aspects, differing->unstable).empty()) return {};
  }
  return {};
}

Expected<void> Differential::State::ask_guarded(Differing* differing) {
  if (!base().has_guarded() || !head().has_guarded()) return {};
  const auto of_head = head().report(differing->input);
  if (!of_head) return tl::unexpected(of_head.error());
  const auto of_base = base().report(differing->input);
  if (!of_base) return tl::unexpected(of_base.error());
  // It says something of the change only if both are known.
  if (!*of_head || !*of_base || ((*of_head)->empty() && (*of_base)->empty())) return {};
  const auto enter = [](const std::string& report, Behaviour* behaviour) {
    if (behaviour->report.empty()) behaviour->report = report;
  };
  enter(**of_base, &differing->base);
  enter(**of_head, &differing->head);
  for (size_t i = 0; i < differing->golden.size(); ++i) {
    VersionTrial& version = versions[2 + i];
    if (!version.has_guarded()) continue;
    const auto report = version.report(differing->input);
    if (!report) return tl::unexpected(report.error());
    if (*report) enter(**report, &differing->golden[i]);
  }
  return {};
}

Expected<void> Differential::State::run_golden(Differing* differing) {
  differing->golden.clear();
  for (size_t i = 2; i < versions.size(); ++i) {
    Expected<Behaviour> first = versions[i].run(differing->input, 0);
    if (!first) return tl::unexpected(first.error());
    for (unsigned variation = 1; variation <= kGoldenRepetitions; ++variation) {
      const auto done = repeat(versions[i], differing->input, *first, variation, &differing->unstable);
      if (!done) return done;
    }
    differing->golden.push_back(std::move(*first));
  }
  return {};
}

Differential::Differential(std::unique_ptr<State> state) : state_(std::move(state)) {}
Differential::Differential(Differential&&) noexcept = default;
Differential& Differential::operator=(Differential&&) noexcept = default;
Differential::~Differential() = default;

Expected<Differential> Differential::create(DifferentialOptions options) {
  if (const Expected<void> checked = check(options.ignored); !checked) return tl::unexpected(checked.error());
  if (options.limits.program_name.empty())
    options.limits.program_name = options.base.plain.filename().string();
  auto state = std::make_unique<State>();
  state->ignored = std::move(options.ignored);
  const auto add_version = [&](VersionPrograms& programs, const std::string& folder) {
    state->versions.emplace_back(std::move(programs), options.folder / folder, options.limits);
  };
  add_version(options.base, "base");
  add_version(options.head, "head");
  for (size_t i = 0; i < options.golden.size(); ++i)
    add_version(options.golden[i], fmt::format("golden-{}", i + 1));
  for (VersionTrial& version : state->versions) {
    const Expected<ProgramRunner*> runner = version.plain();
    if (!runner) return tl::unexpected(runner.error());
    state->confinement = (*runner)->confinement();
  }
  return Differential(std::move(state));
}

Expected<Differing> Differential::try_input(const concolic::ProgramInput& input) {
  State& state = *state_;
  Expected<Behaviour> base = state.base().run(input, 0);
  if (!base) return tl::unexpected(base.error());
  Expected<Behaviour> head = state.head().run(input, 0);
  if (!head) return tl::unexpected(head.error());
  Differing result;
  result.input = input;
  result.base = std::move(*base);
  result.head = std::move(*head);
  result.aspects = interact::differing(result.base, result.head, state.ignored);
  return result;
}

Expected<void> Differential::ask_golden(Differing* differing) {
  differing->golden.clear();
  for (size_t i = 2; i < state_->versions.size(); ++i) {
    Expected<Behaviour> behaviour = state_->versions[i].run(differing->input, 0);
    if (!behaviour) return tl::unexpected(behaviour.error());
    differing->golden.push_back(std::move(*behaviour));
  }
  return {};
}

Expected<Difference> Differential::confirm(Differing* differing) {
  State& state = *state_;
  differing->unstable.clear();
  const bool differed = !differing->aspects.empty();
  if (const auto done = state.repeat_both(differing); !done) return tl::unexpected(done.error());
  const std::vector<Aspect> unstable = differing->unstable;
  if (const auto done = state.run_golden(differing); !done) return tl::unexpected(done.error());
  if (const auto done = state.ask_guarded(differing); !done) return tl::unexpected(done.error());
  const auto is_stable = [&](Aspect aspect) {
    return std::find(unstable.begin(), unstable.end(), aspect) == unstable.end();
  };
  differing->aspects =
      without(interact::differing(differing->base, differing->head, state.ignored), unstable);
  const Behaviour& head = differing->head;
  const bool head_fails =
      (head.signal != 0 && is_stable(Aspect::kCrash)) || (!head.report.empty() && is_stable(Aspect::kReport));
  if (differing->aspects.empty()) return differed ? Difference::kUnstable : Difference::kSame;
  return head_fails && !differing->base.is_failure() ? Difference::kError : Difference::kDiffers;
}

std::vector<Judgement> Differential::judge(const Differing& differing) const {
  const auto is_same = [&](const Behaviour& a, const Behaviour& b) {
    return without(interact::differing(a, b, state_->ignored), differing.unstable).empty();
  };
  std::vector<Judgement> result;
  for (const Behaviour& golden : differing.golden) {
    const bool base_is = is_same(differing.base, golden);
    const bool head_is = is_same(differing.head, golden);
    if (base_is == head_is)
      result.push_back(base_is ? Judgement::kDifference : Judgement::kIncompleteFix);
    else
      result.push_back(base_is ? Judgement::kRegression : Judgement::kProgression);
  }
  if (!result.empty()) return result;
  const bool is_error = differing.head.is_failure() && !differing.base.is_failure();
  return {is_error ? Judgement::kError : Judgement::kDifference};
}

uint64_t Differential::executions() const {
  uint64_t result = 0;
  for (const VersionTrial& version : state_->versions) result += version.executions();
  return result;
}

const std::string& Differential::confinement() const {
  return state_->confinement;
}

}  // namespace heddle::interact
