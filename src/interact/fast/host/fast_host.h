// FastHost: heddle's side of heddle-interact-host, the process that several versions of a program live in.
//
// A program that gets the better of the host ends it, and nothing else: what was being executed is known, and
// another host takes its place.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/fast/fast_runner.h"
#include "interact/fast/host/frame.h"
#include "interact/trial/behaviour.h"
#include "support/error.h"

namespace heddle::fast {

class FastHost {
 public:
  // An error if there is no host, or it cannot be configured.
  static Expected<FastHost> start(FastOptions options);
  FastHost(FastHost&&) noexcept;
  FastHost& operator=(FastHost&&) noexcept;
  ~FastHost();

  // "" if all versions live in the host, else a sentence on what does not and why.
  const std::string& needs_processes() const;

  // Of one input in all versions: the behaviours, in their order. For few inputs: a round trip takes longer
  // than an execution. Empty if the host was lost (see lost()); it has been replaced then.
  Expected<std::vector<interact::Behaviour>> run(const concolic::ProgramInput& input);

  // For what else is said to the host, and what it says. A kLost has to be followed by replace().
  bool send(FrameKind kind, std::string_view text);
  HostLink::Arrival receive(Frame* frame, std::chrono::milliseconds timeout);
  // Another host, configured in the same way.
  Expected<void> replace();

  // What it is executing at this moment.
  std::optional<concolic::ProgramInput> executing() const;
  // What hosts were executing when they were lost.
  const std::vector<concolic::ProgramInput>& lost() const;
  int process() const;

 private:
  struct State;
  explicit FastHost(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::fast
