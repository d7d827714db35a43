// History: what heddle remembers of a project's tests, in one SQLite file (docs/history.md).
//
// Everything in it is a fact that stays true: on this build, this was shown. So rows are added and
// never changed, two writers of one file both find all they wrote in it, and two files are put together by
// copying rows. What is true of the build at hand is decided when it is read.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "execute/test_command.h"
#include "history/build.h"
#include "history/source_tree.h"
#include "history/test_memory.h"
#include "history/test_records.h"
#include "history/verdict.h"
#include "support/error.h"

namespace heddle {

class History {
 public:
  struct Options {
    std::chrono::milliseconds patience{5000};  // with other processes that use the file
  };

  // Makes the file, and its folder, if there is none. One that is damaged, or written by a newer heddle, or
  // not a history at all, is an error and stays as it is. If it cannot be written, it is read only.
  static Expected<History> open(const std::string& file, const Options& options);
  static Expected<History> open(const std::string& file) { return open(file, Options()); }

  History(History&&) noexcept;
  History& operator=(History&&) noexcept;
  ~History();

  // What is known of the test that holds for this build, too.
  Expected<TestMemory> load(const TestCommand& test, const Build& build);

  // Adds what was learned of the test on this build. `memory` may contain what was loaded, and must describe
  // all statements that its sets speak of.
  Expected<void> save(const TestCommand& test, const Build& build, const TestMemory& memory);

  // What executing a suspicion came to on this very build, in whatever test: harm, if there ever was some.
  // Suspicions are told apart by the fingerprints of the findings that they would be.
  Expected<std::optional<RememberedVerdict>> load_verdict(const Build& build, const std::string& fingerprint);
  // The first one of a kind stays, since it is as good as any other.
  Expected<void> save_verdict(const Build& build, const std::string& fingerprint,
                              const RememberedVerdict& verdict);

  // What a stage of a check came to with one thing, in so much time or more: the text that it saved. `key`
  // stands for the thing, for both builds, and for how it is looked into.
  Expected<std::optional<std::string>> load_work(const std::string& stage, uint64_t key,
                                                 std::chrono::milliseconds least);
  Expected<void> save_work(const std::string& stage, uint64_t key, std::chrono::milliseconds time,
                           const std::string& content);

  // What tests did, for those who choose among them.
  TestRecords& records();

  // Adds all that another history knows, of all tests.
  Expected<void> merge_from(const std::string& file);
  // Makes a file, which must not exist, with all that this one knows at one moment.
  Expected<void> copy_to(const std::string& file);

  // Why nothing can be saved, as a sentence for the user; empty if it can.
  const std::string& read_only_reason() const;

  const std::string& file() const;

  // The project that the file belongs to: statements to be saved must name files as it does.
  const SourceTree& sources() const;

 private:
  class Impl;
  explicit History(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Where the history of a project is, if the user keeps heddle's files in `folder`.
std::string history_file(const std::string& folder);

}  // namespace heddle
