// The report of a finding as a person reads it in a terminal.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "report/finding.h"
#include "report/report_context.h"
#include "report/story.h"

namespace heddle {

struct TerminalOptions {
  size_t width = 100;
  bool colour = false;
  size_t max_rows = 40;   // of the interleaving
  std::string directory;  // paths below it are shown relative to it; empty: the current one
};

// What suits the terminal behind a file descriptor: its width ($COLUMNS, then the terminal itself), and
// colour if it is a terminal and NO_COLOR is not set.
TerminalOptions terminal_options(int fd);

// Verdict, details, interleaving, and how to replay it (if the finding has a schedule). A change of directory
// between recording and reporting does not matter: paths below the current directory are shown relative to
// it.
void render_terminal(std::ostream& out, const Finding& finding, const trace::Trace& trace,
                     Symbolizer& symbolizer, const TerminalOptions& options);

// The same for a story that has been told already.
void render_terminal(std::ostream& out, const Finding& finding, ReportContext& context,
                     const FailureStory& story, const TerminalOptions& options);

// The commands that show a finding again.
void render_replay_hint(std::ostream& out, const Finding& finding);

}  // namespace heddle
