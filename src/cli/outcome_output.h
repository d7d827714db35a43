// How `run` and `replay` tell what an execution ended with: report, schedule file, JSON, exit code.
#pragma once

#include <filesystem>
#include <string>

#include "execute/execution.h"
#include "report/evidence.h"
#include "report/finding.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle {

// A folder that exists, or a path that ends in '/'.
bool names_folder(const std::string& path);

// Refuses one file for the schedules of several failures.
Expected<void> check_output_for_many(const std::string& output, bool keep_going);

// Writes the schedule of a finding, with its message, and returns its absolute path. `output` is a file, a
// folder, or empty for heddle-<kind>-<fingerprint>.schedule in the current directory. Only a file that was
// named is replaced; a chosen name moves on to one that is free, or that holds the same schedule. `revision`:
// of the sources, if it is known, for those who want to build them again.
Expected<std::string> write_finding_schedule(trace::Schedule schedule, const Finding& finding,
                                             const std::string& output, const std::string& revision = "");

// The same in a folder of heddle's own, which is made: the schedule that was found last takes the place of an
// earlier one of the same finding.
Expected<std::string> write_schedule_in(const std::filesystem::path& folder, trace::Schedule schedule,
                                        const Finding& finding, const std::string& revision);

// Adds the finding's evidence, and reports it on stderr, where it does not mix with what the program prints.
void print_report(Finding* finding, const Execution& execution, Symbolizer& symbolizer,
                  const EvidenceOptions& options);

// What limits the meaning of an execution's outcome: control that was lost, code that was not instrumented.
void say_what_was_not_controlled(const Execution& execution);

// Whether heddle saw the execution to its end. An end forced from outside says nothing about the program.
Expected<void> check_seen_to_the_end(const Execution& execution);

}  // namespace heddle
