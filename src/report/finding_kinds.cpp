#include "report/finding_kinds.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace heddle {
namespace {

constexpr std::array kFindingKinds = {
    FindingKind{
        "crash", "Crash", "Under this schedule the program is ended by a signal.",
        "Replay the schedule in gdb: it stops where the signal comes. What the crashing thread read was "
        "written by another one in an order that the code does not expect."},
    FindingKind{"use-after-free", "Use of freed memory",
                "One thread uses memory that another one has freed before.",
                "Let the owner outlive its users: join them first, or share ownership."},
    FindingKind{
        "assertion", "Failed assertion",
        "Under this schedule an assertion of the program or of a test fails.",
        "Follow the interleaving back from the assertion to the write that it did not expect, and make what "
        "belongs together one critical section."},
    FindingKind{"exception", "Uncaught exception", "Under this schedule an exception ends the program.",
                "Follow the interleaving back from the throw; replay it in gdb to see the values."},
    FindingKind{"deadlock", "Deadlock", "Threads wait for each other, and none can ever go on.",
                "Take the locks in the same order everywhere, or together with std::scoped_lock."},
    FindingKind{
        "lost-wakeup", "Lost wake-up",
        "A thread waits for a notification that came too early or went to another thread.",
        "Change the condition under the mutex of the waiter, let the waiter check it in a loop, and notify "
        "all if waiters wait for different things."},
    FindingKind{
        "livelock", "Livelock", "Threads run and make no progress.",
        "Let the loop wait for what it needs instead of polling, or let one of the threads give way."},
    FindingKind{"hang", "Hang",
                "The program made no progress within the time limit, outside of heddle's control.",
                "See where it waits, or give it more time with --timeout."},
    FindingKind{
        "atomicity", "Atomicity violation",
        "Another thread comes between steps that belong together, and the result is one that no order of "
        "the whole units gives.",
        "Make the steps one critical section, or one atomic operation."},
    FindingKind{
        "race", "Data race",
        "Two threads access the same memory, at least one writes, and nothing orders them. In C and C++ this "
        "is undefined behaviour.",
        "Guard the accesses by one mutex, make the variable atomic, or order the threads."},
    FindingKind{"output-difference", "Different output",
                "For this input or schedule the program's output is not what the base gives.",
                "Compare the changed statements that are executed with what the change was meant to do."},
    FindingKind{"exit-code", "Failing exit code",
                "Under this schedule the program ends with a failing exit code.",
                "Read what the test says; the interleaving shows what came between."},
    FindingKind{
        "misuse", "Misuse of a synchronisation object",
        "A lock, condition or thread is used as it must not be, for example unlocked by a thread that does "
        "not hold it.",
        "Look at the operation named in the message."},
    FindingKind{"killed", "Killed from outside", "The program was ended from outside.",
                "Look for limits of memory or time."},
    FindingKind{"internal-error", "Heddle's own error", "Heddle could not control the execution.",
                "Please report it with the schedule file."},
};

int rank_of(FindingStatus status) {
  switch (status) {
    case FindingStatus::kNew:
      return 0;
    case FindingStatus::kUnknown:
      return 1;
    case FindingStatus::kKnown:
      return 2;
  }
  return 2;
}

auto rank_of(const Finding& finding) {
  const auto kind = std::find_if(kFindingKinds.begin(), kFindingKinds.end(),
                                 [&](const FindingKind& known) { return known.kind == finding.kind; });
  return std::tuple(rank_of(finding.status), severity_of(finding), kind);
}

}  // namespace

std::span<const FindingKind> finding_kinds() {
  return kFindingKinds;
}

FindingKind finding_kind(std::string_view kind) {
  for (const FindingKind& known : kFindingKinds)
    if (known.kind == kind) return known;
  return {kind, kind, "A failure of the program.", "Replay its schedule."};
}

Severity severity_of(const Finding& finding) {
  if (!is_confirmed(finding.confirmation)) return Severity::kNote;
  return finding.confirmation == Confirmation::kBenign ? Severity::kWarning : Severity::kError;
}

bool is_graver(const Finding& a, const Finding& b) {
  return rank_of(a) < rank_of(b);
}

}  // namespace heddle
