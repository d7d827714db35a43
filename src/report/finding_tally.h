// FindingTally: the distinct findings of many executions, and how many executions showed each.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/finding.h"

namespace heddle {

class FindingTally {
 public:
  // Counts a finding of one execution. Returns it if it is the first with its fingerprint, so that the caller
  // can add what is known of the first one only; else null. Valid until the next call.
  Finding* add(Finding finding);

  // One more execution that showed a finding which has been added.
  void count_again(const std::string& fingerprint);

  // In the order in which they were first seen.
  const std::vector<Finding>& findings() const { return findings_; }

  // Executions that showed any.
  uint64_t occurrences() const { return occurrences_; }

 private:
  std::vector<Finding> findings_;
  std::unordered_map<std::string, size_t> by_fingerprint_;
  uint64_t occurrences_ = 0;
};

}  // namespace heddle
