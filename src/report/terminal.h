// The report of a finding as a person reads it in a terminal.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "report/evidence.h"
#include "report/finding.h"

namespace heddle {

struct TerminalOptions {
  size_t width = 100;
  bool colour = false;
};

// What suits the terminal behind a file descriptor: its width ($COLUMNS, then the terminal itself), and
// colour if it is a terminal and NO_COLOR is not set.
TerminalOptions terminal_options(int fd);

// Verdict, details, interleaving, and how to replay it (if the finding has a schedule). A finding without
// evidence is told in a few lines.
void render_terminal(std::ostream& out, const Finding& finding, const TerminalOptions& options);

// The commands that show a finding again.
void render_replay_hint(std::ostream& out, const Finding& finding);

}  // namespace heddle
