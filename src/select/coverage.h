// Coverage: which test has executed which line, in which threads; what the history knows, turned round.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "history/test_record.h"
#include "select/shared_variable.h"

namespace heddle::select {

using TestIndex = uint32_t;

// A test that has executed a block, and the threads that did while others were there.
struct CoveringTest {
  TestIndex test = 0;
  ThreadSet threads;
};

class Coverage {
 public:
  // What `test` did. Lines are of the old program.
  void add(TestIndex test, const TestRecord& record);
  // Call it once all tests have been added.
  void finish();

  // In the order of the tests.
  std::vector<CoveringTest> of(const OldBlock& block) const;
  // Lines of the file where something was executed, or could have been seen to be.
  bool knows(const std::string& file, uint32_t line) const;
  // The number of threads that the test had, main included.
  uint32_t threads_of(TestIndex test) const;
  size_t tests() const { return threads_.size(); }
  const std::map<std::string, std::map<uint32_t, std::vector<CoveringTest>>>& files() const { return files_; }

 private:
  std::map<std::string, std::map<uint32_t, std::vector<CoveringTest>>> files_;  // by file and line
  std::vector<uint32_t> threads_;
};

}  // namespace heddle::select
