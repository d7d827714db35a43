// Which tests of a subject can show what a change does to its threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "changed_subject.h"
#include "check/compared_test.h"

namespace heddle::bench {

struct SubjectTest {
  std::string name;
  uint32_t threads = 0;  // besides the first
  uint64_t events = 0;
  std::map<std::string, std::set<uint32_t>> lines;  // by file: that the base executes
};

// Those with several threads, the ones with the most of them first; of at most so many tests, which are taken
// from all over the suite. 0: of all.
Expected<std::vector<SubjectTest>> tests_with_threads(const ChangedSubject& subject, size_t most = 0);

// A test of a change, to be executed on both versions under as many schedules as `heddle impact` compares.
struct StartedTest {
  std::unique_ptr<Symbolizer> symbolizer;
  std::unique_ptr<ComparedTest> compared;
};
// The change must outlive it.
Expected<StartedTest> start_test(const ChangeImpact& change, const std::string& name);

}  // namespace heddle::bench
