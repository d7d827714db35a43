#include "cli/verdict_memory.h"

#include <ctime>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/command_line.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// A schedule of another machine, or of a project that has been moved, runs the program at hand where that
// runs.
void bring_here(const TestCommand& test, trace::Schedule* schedule) {
  std::error_code failed;
  if (schedule->directory.empty() || fs::is_directory(schedule->directory, failed)) return;
  schedule->directory = (fs::current_path(failed) / test.directory).lexically_normal().string();
  if (!schedule->command.empty()) schedule->command[0] = test.argv[0];
}

std::string path_of_input(const std::string& input) {
  return input.empty() || input == "-" ? input : fs::absolute(input).lexically_normal().string();
}

std::string note_of(const RememberedVerdict& verdict, const trace::Schedule& schedule) {
  std::string note =
      fmt::format("confirmed earlier, on {:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(verdict.time)));
  note += fmt::format(", by `{}`", one_line(schedule.command));
  if (!verdict.input.empty()) note += " with --stdin " + verdict.input;
  return note + (verdict.harmful ? ": harmful: " + verdict.why : ": benign, as far as executed then");
}

}  // namespace

VerdictMemory::VerdictMemory(std::optional<History> history, Setting setting)
    : history_(std::move(history)),
      setting_(std::move(setting)),
      can_save_(history_ && history_->read_only_reason().empty()) {}

Expected<std::optional<VerdictMemory::Known>> VerdictMemory::recall(const std::string& fingerprint) {
  if (!history_ || setting_.verifies_again) return std::nullopt;
  const Expected<std::optional<RememberedVerdict>> verdict =
      history_->load_verdict(setting_.build, fingerprint);
  if (!verdict) return tl::unexpected(verdict.error());
  if (!*verdict) return std::nullopt;
  Expected<trace::Schedule> schedule =
      trace::parse_schedule((*verdict)->schedule, "the remembered schedule of " + fingerprint);
  if (!schedule) return tl::unexpected(schedule.error());
  bring_here(setting_.test, &*schedule);
  return Known{.confirmed = (*verdict)->harmful ? Confirmed::kHarmful : Confirmed::kBenign,
               .note = note_of(**verdict, *schedule),
               .schedule = std::move(*schedule)};
}

void VerdictMemory::remember(const std::string& fingerprint, const Verdict& verdict) {
  if (!can_save_ || verdict.confirmed == Confirmed::kNotReproduced) return;
  const Expected<void> saved = history_->save_verdict(setting_.build, fingerprint,
                                                      {.harmful = verdict.confirmed == Confirmed::kHarmful,
                                                       .why = verdict.why,
                                                       .input = path_of_input(setting_.input),
                                                       .schedule = trace::print_schedule(verdict.schedule),
                                                       .time = static_cast<uint64_t>(std::time(nullptr))});
  if (saved) return;
  can_save_ = false;
  say("what was confirmed is not remembered: " + saved.error().message);
}

}  // namespace heddle
