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

void FindingTally::count_again(const std::string& fingerprint) {
  const auto entry = by_fingerprint_.find(fingerprint);
  if (entry == by_fingerprint_.end()) return;
  ++occurrences_;
  ++*findings_[entry->second].occurrences;
}

}  // namespace heddle
