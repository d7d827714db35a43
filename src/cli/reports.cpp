#include "cli/reports.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "change/revision.h"
#include "cli/command_line.h"
#include "report/columns.h"
#include "report/terminal.h"
#include "trace/atomic_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSeparator = "::";
constexpr std::string_view kAnnotations = "github";

std::string list_reporters() {
  std::vector<std::string_view> names;
  for (const Reporter& reporter : reporters()) names.push_back(reporter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string project_root() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  const Expected<Repository> repository = Repository::open(here);
  return (repository ? repository->root() : here).lexically_normal().string();
}

bool runs_on_github() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && std::string_view(value) == "true";
}

// A folder that is not there is found out before the work, not after it.
Expected<void> check_can_be_written(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::absolute(file, failed);
  if (!fs::is_directory(path.parent_path(), failed))
    return usage_error(
        fmt::format("cannot write {}: there is no folder {}", file, path.parent_path().string()));
  if (fs::is_directory(path, failed))
    return usage_error(fmt::format("cannot write {}: it is a folder", file));
  return {};
}

Expected<void> write_file(const std::string& file, const std::string& text) {
  Expected<trace::AtomicFile> opened = trace::AtomicFile::create(file);
  if (!opened) return tl::unexpected(opened.error());
  const Expected<void> written = opened->write(text);
  return written ? opened->commit() : written;
}

}  // namespace

Expected<Reports> Reports::open(const ReportOptions& options) {
  Reports reports;
  if (!options.json.empty()) reports.outputs_.push_back({find_reporter("json"), options.json});
  for (const std::string& word : options.reporters) {
    const size_t separator = word.find(kSeparator);
    const std::string name = word.substr(0, separator);
    const Reporter* reporter = find_reporter(name);
    if (reporter == nullptr)
      return usage_error(fmt::format("there is no reporter {}; those there are: {}", name, list_reporters()));
    const std::string file =
        separator == std::string::npos ? "-" : word.substr(separator + kSeparator.size());
    if (file.empty())
      return usage_error(
          fmt::format("which file? Write -r {}::FILE, or -r {} for the standard output", name, name));
    // It is on the standard error all the time.
    if (reporter->name == "console" && separator == std::string::npos) continue;
    reports.outputs_.push_back({reporter, file});
  }
  for (auto output = reports.outputs_.begin(); output != reports.outputs_.end(); ++output) {
    std::error_code failed;
    const auto is_same = [&](const Output& other) {
      return fs::absolute(other.file, failed).lexically_normal() ==
             fs::absolute(output->file, failed).lexically_normal();
    };
    const auto other = std::find_if(reports.outputs_.begin(), output, is_same);
    if (other != output && !output->file.starts_with("/dev/"))
      return usage_error(fmt::format("the reporters {} and {} cannot both write {}", other->reporter->name,
                                     output->reporter->name,
                                     output->file == "-" ? "the standard output" : output->file));
    if (output->file == "-") continue;
    if (const Expected<void> checked = check_can_be_written(output->file); !checked)
      return tl::unexpected(checked.error());
  }
  const auto is_annotations = [](const Output& output) { return output.reporter->name == kAnnotations; };
  reports.annotates_ =
      runs_on_github() && std::none_of(reports.outputs_.begin(), reports.outputs_.end(), is_annotations);
  if (reports.is_wanted() || reports.annotates_) reports.root_ = project_root();
  return reports;
}

EvidenceOptions Reports::evidence(const std::string& directory, const std::string& root) const {
  EvidenceOptions options{.directory = directory,
                          .scope = {.root = root.empty() ? root_ : root, .changed = nullptr},
                          .columns = columns_that_fit(terminal_options(STDERR_FILENO).width)};
  for (const Output& output : outputs_) {
    options.wants_flow |= output.reporter->wants_flow;
    options.wants_events |= output.reporter->wants_events;
  }
  return options;
}

bool Reports::takes_standard_output() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [](const Output& output) { return output.file == "-"; });
}

Expected<void> Reports::write(Report report) const {
  if (report.root.empty()) report.root = root_;
  if (report.root.size() > 1 && report.root.ends_with('/')) report.root.pop_back();
  Expected<void> result;
  for (const Output& output : outputs_) {
    const Expected<void> written = write_file(output.file, output.reporter->write(report));
    if (written) continue;
    if (result)
      result = written;
    else
      say(written.error().message);
  }
  // GitHub reads the standard error, too, and there nothing else is disturbed.
  if (const Reporter* annotations = find_reporter(kAnnotations); annotates_ && annotations != nullptr)
    std::fputs(annotations->write(report).c_str(), stderr);
  return result;
}

Expected<void> Reports::write(RunResult result) const {
  Report report;
  report.result = std::move(result);
  return write(std::move(report));
}

void add_report_options(CLI::App& command, ReportOptions& options) {
  command.add_option("--json", options.json,
                     "file for the result, as docs/json.md describes; - is the standard output");
  command
      .add_option(
          "-r,--reporter", options.reporters,
          fmt::format("also report in this form, to a file or the standard output; may be given again: {}",
                      list_reporters()))
      ->option_text("NAME[::FILE]")
      ->allow_extra_args(false);
}

}  // namespace heddle
