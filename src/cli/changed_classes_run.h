// Concurrent tests for the classes that a change touches: `heddle generate --changed`, and the last stage of
// `heddle check`. Only what the base's version of a class does not do is told.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "change/project_build.h"
#include "change/source_change.h"
#include "check/changed_classes.h"
#include "cli/analysis_report.h"
#include "generate/class_sources.h"
#include "generate/driver_build.h"
#include "generate/other_version.h"
#include "generate/test_folder.h"
#include "report/run_result.h"
#include "support/error.h"

namespace heddle {

class ChangedClassesRun {
 public:
  struct Options {
    std::filesystem::path store;               // heddle's own folder
    std::chrono::milliseconds budget{60'000};  // for sequences and tests; what compiling takes comes on top
    std::string compiler;                      // the project's; empty: the default
    uint64_t seed = 1;
    uint32_t threads = 2;
    size_t most_failures = 10;
    std::function<void(const std::string&)> step;  // may be empty
    // Whether a class is to be looked into; asked right before. And when that is done: whether to its end.
    // Both may be empty.
    std::function<bool(const std::string&)> is_wanted;
    std::function<void(const std::string&, bool)> looked;
  };
  // All must outlive this.
  ChangedClassesRun(const ProjectBuild& base, const ProjectBuild& head, generate::TestFolder& output,
                    AnalysisReport& report, Options options)
      : base_(base), head_(head), output_(output), report_(report), options_(std::move(options)) {}

  // `functions`: their classes count as touched, too.
  Expected<void> run(const SourceChange& change, const std::set<std::string>& functions);

  // Of all classes together; `own` has an entry for each.
  RunResult take_result();
  // What compiling has taken.
  std::chrono::milliseconds built() const { return built_; }

 private:
  Expected<generate::ClassSources> sources_in(const ProjectBuild& build, const ChangedClass& one) const;
  Expected<generate::Driver> driver_in(const ProjectBuild& build, const ChangedClass& one,
                                       const std::string& version) const;
  Expected<std::unique_ptr<generate::OtherVersion>> base_version(const ChangedClass& one,
                                                                 const std::filesystem::path& folder) const;
  Expected<void> look_into(const ChangedClass& one, std::chrono::milliseconds budget);
  void leave_out(const std::string& name, const std::string& why);

  const ProjectBuild& base_;
  const ProjectBuild& head_;
  generate::TestFolder& output_;
  AnalysisReport& report_;
  const Options options_;
  RunResult result_;
  std::chrono::milliseconds built_{};
};

}  // namespace heddle
