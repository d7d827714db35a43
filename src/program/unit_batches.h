// Batches: units that are compiled together, as one text that includes them all.
//
// Most of what clang does for a unit it does again for the next: the same headers, the same instances of the
// same templates. Together, units cost a third. Their facts are told apart afterwards (split_unit.h).
//
// Units go together if their flags are equal and nothing in one could give the other another meaning: equal
// names outside functions, macros that differ, using-directives. What the text does not show makes the
// compiler fail, and load.cpp takes the unit out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/compile_unit.h"
#include "program/include_scan.h"
#include "program/statement_lookup.h"

namespace heddle::program {

struct BatchUnit {
  const UnitCommand* command = nullptr;
  const SourceFile* text = nullptr;  // of its own file
};

// Indices of units, each once; at most `largest` in a batch.
class UnitBatches {
 public:
  UnitBatches(const std::filesystem::path& source, const std::vector<BatchUnit>& units, size_t largest);

  const std::vector<std::vector<size_t>>& batches() const { return batches_; }
  // What to compile for these units of a batch.
  std::string text_of(const std::vector<size_t>& batch) const;
  // Whether the unit, by its text, may include the file.
  bool reaches(size_t unit, const std::filesystem::path& path) const;
  // Whether any unit may: else its text tells nothing about who includes the file.
  bool is_reached(const std::filesystem::path& path) const { return reached_.contains(path); }

 private:
  IncludeScan scan_;
  std::vector<BatchUnit> units_;
  std::vector<std::vector<std::string>> own_macros_;  // by unit: of its own file
  std::vector<IncludedHeaders> includes_;             // by unit
  std::set<std::filesystem::path> reached_;
  std::vector<std::vector<size_t>> batches_;
};

}  // namespace heddle::program
