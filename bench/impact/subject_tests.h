// Which tests of a subject can show what a change does to its threads.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "changed_subject.h"

namespace heddle::bench {

// As many as `heddle impact` compares the versions under.
inline constexpr uint32_t kSchedules = 3;

struct SubjectTest {
  std::string name;
  uint32_t threads = 0;  // besides the first
  uint64_t events = 0;
  std::map<std::string, std::set<uint32_t>> lines;  // by file: that the base executes
};

// Those with several threads, the ones with the most of them first.
Expected<std::vector<SubjectTest>> tests_with_threads(const ChangedSubject& subject);

}  // namespace heddle::bench
