// Reports: what a command writes when it ends, `--json FILE` and `-r NAME[::FILE]`, and what its findings
// must carry for that.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "report/reporter.h"
#include "support/error.h"

namespace heddle {

struct ReportOptions {
  std::string json;                    // file; empty: none
  std::vector<std::string> reporters;  // NAME or NAME::FILE

  bool empty() const { return json.empty() && reporters.empty(); }
};

void add_report_options(CLI::App& command, ReportOptions& options);

class Reports {
 public:
  // Refuses what cannot be meant, before anything is executed: an unknown reporter, a folder that is not
  // there, two reporters for one file.
  static Expected<Reports> open(const ReportOptions& options);

  // For findings that will be in the report. `directory`: words about them name files below it relative to
  // it; `root`: all other names are relative to it. Empty: the current directory, and the project that it
  // lies in.
  EvidenceOptions evidence(const std::string& directory = "", const std::string& root = "") const;

  // What nobody writes need not be gathered.
  bool is_wanted() const { return !outputs_.empty(); }

  // Then nothing else is printed there.
  bool takes_standard_output() const;

  // Writes all of them. One that cannot be written does not keep the others from it; the first error is
  // returned, the others are said.
  Expected<void> write(Report report) const;
  Expected<void> write(RunResult result) const;

 private:
  struct Output {
    const Reporter* reporter = nullptr;
    std::string file;  // "-": the standard output
  };

  std::vector<Output> outputs_;
  bool annotates_ = false;  // GitHub reads what is printed
  std::string root_;        // of the project
};

}  // namespace heddle
