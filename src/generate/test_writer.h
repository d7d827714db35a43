// TestWriter: turns what a generator has found into test files, and makes sure that they do what they say.
//
// A test of a failure is written as soon as it is found. In the end all tests are compiled into one program
// and executed: one that is to fail and does not is written in another way, and one that is to pass and does
// not is taken out. The order is in check().
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "generate/driver_build.h"
#include "generate/generator.h"
#include "generate/test_folder.h"
#include "generate/test_program.h"
#include "generate/test_source.h"
#include "support/error.h"

namespace heddle::generate {

// A test as it was written.
struct WrittenTest {
  std::filesystem::path file;
  std::string name;         // "Suite.Name"
  std::string fingerprint;  // of the finding that it shows; empty: it passes
  bool is_checked = false;  // it was executed under heddle, and did what it is for
  uint64_t executions = 0;  // until it failed
};

class TestWriter {
 public:
  struct Options {
    ClassSources sources;          // with the headers' names
    std::filesystem::path folder;  // of heddle's own, for the program of all tests
    std::filesystem::path compilers;
    std::filesystem::path includes;
    std::filesystem::path runtime;
    size_t most_passing = 20;
    std::function<void(const std::string&)> step;  // may be empty
  };
  // Both must outlive this.
  TestWriter(const Driver& driver, TestFolder& folder, Options options);

  // `remarks`: what the reader of the test should know, in lines.
  Expected<void> add_failing(const TestFailure& failure, const std::string& fingerprint,
                             std::vector<std::string> remarks);
  // Those that cover most, in one file.
  Expected<void> add_passing(std::vector<CoveringTest> tests);

  // Executes them for at most that long, compiling not counted. Why they could not be compiled, or not all of
  // them be executed in time; empty if they were.
  Expected<std::string> check(std::chrono::milliseconds budget);

  std::vector<WrittenTest> written() const;

 private:
  struct Entry {
    TestCase test;
    WrittenTest written;
    size_t way = 0;  // of those to explore
    bool is_dropped = false;
  };
  enum class CheckEnd { kDone, kAgain, kNoTime };

  std::string free_name(const std::string& wanted);
  Expected<void> write(const std::filesystem::path& file);
  Expected<CheckEnd> execute(const TestProgram& program, std::chrono::milliseconds* left);
  static bool is_to_be_checked(const Entry& entry);
  bool judge(Entry& entry, const TestRun& run);
  static void explore_in_way(TestCase* test, size_t way);

  const Driver& driver_;
  TestFolder& folder_;
  const Options options_;
  const std::string suite_;
  std::vector<Entry> entries_;
  std::map<std::string, uint32_t> names_;
};

}  // namespace heddle::generate
