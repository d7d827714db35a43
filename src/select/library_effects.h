// LibraryEffects: what functions of libraries read and write through each of their parameters, with all that
// they call in the library.
//
// An access counts for the parameters that its address may have been computed from: through fields, elements,
// iterators and whatever was loaded on the way. So a map's find() reads through the map and through the key,
// and writes through neither. Memory that is made on the way is nobody's yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program/analyses.h"
#include "select/analysed_program.h"

namespace heddle::select {

// Sizes of accesses: few, most often the same ones.
class Sizes {
 public:
  void insert(uint64_t size) {
    const auto at = std::lower_bound(sizes_.begin(), sizes_.end(), size);
    if (at == sizes_.end() || *at != size) sizes_.insert(at, size);
  }
  void insert(const Sizes& others) {
    for (const uint64_t size : others.sizes_) insert(size);
  }
  bool empty() const { return sizes_.empty(); }
  std::vector<uint64_t>::const_iterator begin() const { return sizes_.begin(); }
  std::vector<uint64_t>::const_iterator end() const { return sizes_.end(); }
  bool operator==(const Sizes&) const = default;

 private:
  std::vector<uint64_t> sizes_;  // sorted
};

// Of a parameter.
struct LibraryEffect {
  Sizes read;
  Sizes written;
  bool is_atomic = true;  // all of it

  bool empty() const { return read.empty() && written.empty(); }
  bool operator==(const LibraryEffect&) const = default;
};

class LibraryEffects {
 public:
  // Both must outlive this.
  LibraryEffects(const AnalysedProgram& program, const program::Escape& escape);

  // By parameter.
  const std::vector<LibraryEffect>& of(program::FunctionIndex function);
  // Locks and what else orders threads: how they work inside is nobody's business.
  bool is_synchronisation(program::FunctionIndex caller, const program::Op& op);
  bool is_synchronisation(program::FunctionIndex function);

 private:
  using Summary = std::vector<LibraryEffect>;
  bool is_synchronisation_symbol(program::FunctionIndex in, uint32_t symbol);
  // Functions that have no summary yet.
  struct Unknown {
    std::vector<program::FunctionIndex> functions;  // callees first where there are no cycles
    std::unordered_map<program::FunctionIndex, std::vector<program::FunctionIndex>> callers;  // among them
  };
  void summarise(const Unknown& unknown);
  Unknown library_below(program::FunctionIndex function);
  Summary pass_over(program::FunctionIndex function);
  bool may_write(const program::OpId& id, const program::Op& op) const;

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const program::Escape& escape_;
  const Calls& calls_;
  std::unordered_map<program::FunctionIndex, Summary> summaries_;
  // Of those that are being summarised: parameters that each value may come from, as bits.
  std::unordered_map<program::FunctionIndex, std::vector<uint64_t>> origins_;
  enum class Answer : uint8_t { kNotAsked, kNo, kYes };
  std::vector<Answer> synchronisation_;  // by global symbol
};

}  // namespace heddle::select
