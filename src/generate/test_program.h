// TestProgram: generated tests compiled into one program with GoogleTest, and what each of them does there.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "generate/class_sources.h"
#include "support/error.h"

namespace heddle::generate {

struct TestProgramOptions {
  std::filesystem::path folder;     // for all that is made
  std::filesystem::path compilers;  // folder with heddle-c++
  std::filesystem::path includes;   // folder with heddle/heddle.h
  std::filesystem::path runtime;    // folder with heddle's runtime
  ClassSources sources;
  std::vector<std::filesystem::path> objects;  // the class's own sources, compiled
  std::filesystem::path archive;               // with what these need; may be empty
  std::chrono::milliseconds timeout{300'000};  // for compiling
};

struct TestRun {
  bool failed = false;
  uint64_t executions = 0;  // the one that failed, or all
  std::string words;        // what the test said
};

class TestProgram {
 public:
  // An error has the compiler's words.
  static Expected<TestProgram> build(const std::vector<std::filesystem::path>& files,
                                     const TestProgramOptions& options);

  // `test`: "Suite.Name".
  Expected<TestRun> run(const std::string& test, std::chrono::milliseconds timeout) const;

  const std::filesystem::path& path() const { return path_; }

 private:
  TestProgram(std::filesystem::path path, const TestProgramOptions& options)
      : path_(std::move(path)), folder_(options.folder), runtime_(options.runtime) {}

  std::filesystem::path path_;
  std::filesystem::path folder_;
  std::filesystem::path runtime_;
};

}  // namespace heddle::generate
