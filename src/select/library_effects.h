// LibraryEffects: what functions of libraries read and write through each of their parameters, with all that
// they call in the library.
//
// An access counts for the parameters that its address may have been computed from: through fields, elements,
// iterators and whatever was loaded on the way. So a map's find() reads through the map and through the key,
// and writes through neither. Memory that is made on the way is nobody's yet.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include "program/analyses.h"
#include "select/analysed_program.h"

namespace heddle::select {

// Of a parameter.
struct LibraryEffect {
  std::set<uint64_t> read;  // sizes
  std::set<uint64_t> written;
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
  void summarise(const std::vector<program::FunctionIndex>& functions);
  std::vector<program::FunctionIndex> library_below(program::FunctionIndex function);
  Summary pass_over(program::FunctionIndex function);
  bool may_write(const program::OpId& id, const program::Op& op) const;

  const program::Program& program_;
  const program::PointsTo& points_to_;
  const program::Escape& escape_;
  const Calls& calls_;
  std::unordered_map<program::FunctionIndex, Summary> summaries_;
  std::unordered_map<program::FunctionIndex, std::vector<uint64_t>>
      origins_;                                         // per value: parameters, as bits
  std::unordered_map<uint32_t, bool> synchronisation_;  // by global symbol
};

}  // namespace heddle::select
