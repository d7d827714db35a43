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

// What each call that raised the coverage has added, by what counts as coverage.
using Raises = std::vector<std::vector<uint64_t>>;

struct SequenceFigures {
  generate::SearchCounts counts;
  Raises raises;        // of the class's code and fields: what the search goes by
  Raises exact_raises;  // of every instruction and byte, also of libraries and of heddle's driver
  double cpu_seconds = 0;
  bool is_complete = false;  // else its time was over: all figures are lower bounds
};

struct PruningFigures {
  std::string name;
  SequenceFigures on;
  SequenceFigures off;

  // Sequences without pruning, for each with it.
  double reduction() const;
  // Of the calls that raise coverage without pruning, those each of whose additions some call has with it.
  // Which of two calls comes first and raises it, does not matter.
  uint64_t kept() const;
  // The share of those that are not kept.
  double lost() const;
  // The same, if everything counts.
  double lost_exactly() const;
};

struct PruningOptions {
  size_t depth = 4;  // calls in a sequence
  std::chrono::milliseconds limit{60'000};
};

Expected<PruningFigures> compare_pruning(const PreparedSubject& prepared, const PruningOptions& options);

}  // namespace heddle::bench
