#include "interact/trial/version_trial.h"

#include "interact/trial/report.h"

namespace heddle::interact {
namespace {

constexpr unsigned kGuardedRepetitions = 2;

// A sanitizer's program is this many times as slow, and more.
constexpr int kGuardedSlowness = 3;

}  // namespace

Expected<Behaviour> VersionTrial::run(const concolic::ProgramInput& input, unsigned variation) {
  const Expected<ProgramRunner*> made = plain();
  if (!made) return tl::unexpected(made.error());
  ++executions_;
  return (*made)->run(input, variation);
}

Expected<std::optional<std::string>> VersionTrial::report(const concolic::ProgramInput& input) {
  RunLimits limits = limits_;
  limits.timeout *= kGuardedSlowness;
  const Expected<ProgramRunner*> made = runner(&guarded_, programs_.guarded, "guarded", limits);
  if (!made) return tl::unexpected(made.error());
  std::optional<std::string> result;
  for (unsigned variation = 0; variation < kGuardedRepetitions; ++variation) {
    ++executions_;
    Expected<Behaviour> behaviour = (*made)->run(input, variation);
    if (!behaviour) return tl::unexpected(behaviour.error());
    if (behaviour->was_ended() || is_about_resources(behaviour->report)) return std::nullopt;
    if (result && !is_same_report(*result, behaviour->report)) return std::nullopt;
    result = std::move(behaviour->report);
  }
  return result;
}

Expected<ProgramRunner*> VersionTrial::runner(std::optional<ProgramRunner>* slot,
                                              const std::filesystem::path& program, const char* form,
                                              const RunLimits& limits) {
  if (!*slot) {
    Expected<ProgramRunner> made = ProgramRunner::create(program, folder_ / form, limits);
    if (!made) return tl::unexpected(made.error());
    *slot = std::move(*made);
  }
  return &**slot;
}

}  // namespace heddle::interact
