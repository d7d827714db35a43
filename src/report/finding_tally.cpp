#include "report/finding_tally.h"

#include <utility>

namespace heddle {

Finding* FindingTally::add(Finding finding) {
  ++occurrences_;
  const auto [entry, is_new] = by_fingerprint_.try_emplace(finding.fingerprint, findings_.size());
  if (!is_new) {
    ++*findings_[entry->second].occurrences;
    return nullptr;
  }
  finding.occurrences = 1;
  findings_.push_back(std::move(finding));
  return &findings_.back();
}

}  // namespace heddle
