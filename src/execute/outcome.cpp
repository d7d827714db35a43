#include "execute/outcome.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <string_view>

namespace heddle {
namespace {

using trace::OutcomeKind;
using trace::OutcomeRecord;

void set_message(OutcomeRecord& outcome, std::string_view text) {
  const size_t size = std::min(text.size(), trace::kMaxOutcomeMessage - 1);
  std::memcpy(outcome.message, text.data(), size);
  outcome.message[size] = '\0';
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

// Signals that programs do not die of by their own fault: a person, a supervisor or the kernel sent them.
bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

}  // namespace

bool was_ended(const OutcomeRecord& outcome, const ProcessEnd& end) {
  return (end.stop_at_divergence && outcome.diverged_step != 0) || outcome.abandoned != trace::Abandoned::kNo;
}

OutcomeRecord merge_outcome(const OutcomeRecord& announced, const ProcessEnd& end) {
  OutcomeRecord outcome = announced;
  outcome.message[trace::kMaxOutcomeMessage - 1] = '\0';
  outcome.stack_size = std::min<uint32_t>(outcome.stack_size, trace::kMaxOutcomeStack);
  if (outcome.kind >= OutcomeKind::kCount) {
    outcome.kind = OutcomeKind::kInternal;
    set_message(outcome, "the record of this execution is damaged");
  }
  // What the runtime says of a race holds only if the program does not fail by itself.
  const bool has_race = outcome.kind == OutcomeKind::kRace || outcome.kind == OutcomeKind::kUseAfterFree;
  if (outcome.kind != OutcomeKind::kOk && !has_race) return outcome;
  if (was_ended(outcome, end)) return outcome;

  if (end.timed_out) {
    outcome.kind = OutcomeKind::kHang;
    set_message(outcome, fmt::format("the program did not end within {:.3g} seconds",
                                     std::chrono::duration<double>(end.timeout).count()));
  } else if (WIFSIGNALED(end.wait_status)) {
    outcome.signal = WTERMSIG(end.wait_status);
    const std::string name = signal_name(outcome.signal);
    if (comes_from_outside(outcome.signal)) {
      outcome.kind = OutcomeKind::kKilled;
      set_message(outcome, fmt::format("the program was killed from outside by {}{}", name,
                                       outcome.signal == SIGKILL ? " (out of memory?)" : ""));
    } else {
      outcome.kind = OutcomeKind::kCrash;
      set_message(outcome, fmt::format("the program died of {} ({})", name, ::strsignal(outcome.signal)));
    }
  } else if (WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) != 0) {
    outcome.kind = OutcomeKind::kExitCode;
    outcome.exit_code = WEXITSTATUS(end.wait_status);
    set_message(outcome, fmt::format("the program ended with exit code {}", outcome.exit_code));
  }
  return outcome;
}

void give_up_unless_failed(OutcomeRecord& outcome, std::string_view message) {
  if (outcome.kind != OutcomeKind::kOk) return;
  outcome.kind = OutcomeKind::kInternal;
  set_message(outcome, message);
}

void forget_places(OutcomeRecord& outcome) {
  outcome.site = outcome.context = outcome.object = outcome.stack_size = 0;
}

}  // namespace heddle
