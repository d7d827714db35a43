// One `heddle generate`: searches for the bugs of a class, tells each as it is found, and writes tests.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/analysis_report.h"
#include "cli/progress.h"
#include "generate/driver_build.h"
#include "generate/driver_session.h"
#include "generate/failure_report.h"
#include "generate/generator.h"
#include "generate/test_folder.h"
#include "generate/test_writer.h"
#include "report/run_result.h"

namespace heddle {

// What tests are compiled with; `folder` is for what is made of them.
Expected<generate::TestWriter::Options> test_writer_options(const generate::ClassSources& sources,
                                                            const std::filesystem::path& folder);

class GenerateRun : private generate::GeneratorListener {
 public:
  struct Options {
    std::filesystem::path folder;  // of heddle's own, for this class: the driver, plans, schedules
    std::chrono::milliseconds budget{60'000};
    uint64_t seed = 1;
    uint32_t threads = 2;
    size_t most_failures = 10;
    generate::TestWriter::Options tests;
    // Failures that are of no interest: an earlier version of the class has them. May be empty.
    std::function<Expected<bool>(const generate::FoundFailure&)> is_known;
  };
  // All must outlive this.
  GenerateRun(const generate::Driver& driver, generate::TestFolder& output, AnalysisReport& report,
              Options options)
      : driver_(driver),
        report_(report),
        options_(std::move(options)),
        writer_(driver, output, options_.tests) {}

  Expected<RunResult> run();

 private:
  void on_progress(const generate::GeneratorStatus& status) override;
  Expected<bool> on_failure(const generate::FoundFailure& found) override;
  struct Replayable {
    trace::Schedule schedule;
    bool shows_the_same = false;  // in a process of its own
  };
  Expected<Replayable> make_replayable(const generate::FoundFailure& found,
                                       const std::string& fingerprint) const;
  Expected<void> write_tests(const generate::GeneratorResult& generated);
  void say_coverage(const generate::Requirements& requirements) const;
  void say_unusable() const;
  void say_opaque(const std::set<uint32_t>& methods) const;
  RunResult result(const generate::GeneratorResult& generated,
                   const generate::Requirements& requirements) const;

  const generate::Driver& driver_;
  AnalysisReport& report_;
  const Options options_;
  generate::TestWriter writer_;
  Progress progress_;
  std::vector<generate::Unusable> unusable_;
  uint64_t known_ = 0;  // failures
};

}  // namespace heddle
