// What the prunings of the sequential search spare, and what is lost by them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generate/sequence_search.h"
#include "prepared_subject.h"
#include "support/error.h"

namespace heddle::bench {

struct SequenceFigures {
  generate::SearchCounts counts;
  std::vector<std::vector<uint64_t>> raises;  // what each call that raised the coverage has added
  double cpu_seconds = 0;
  bool is_complete = false;  // else its time was over: all figures are lower bounds
};

struct PruningFigures {
  std::string name;
  SequenceFigures on;
  SequenceFigures off;

  // Sequences without pruning, for each with it.
  double reduction() const;
  // Of the calls that raise coverage without pruning, those all of whose additions some call has with it.
  // Which of two calls comes first and raises it, does not matter.
  uint64_t kept() const;
  double lost() const;
};

struct PruningOptions {
  size_t depth = 4;  // calls in a sequence
  std::chrono::milliseconds limit{60'000};
};

Expected<PruningFigures> compare_pruning(const PreparedSubject& prepared, const PruningOptions& options);

}  // namespace heddle::bench
