// NodeTable: the statements of one function that operations belong to. Private to the extraction.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "program/extract_unit.h"

namespace heddle::program {

class NodeTable {
 public:
  explicit NodeTable(UnitBuilder& unit) : unit_(unit) {}

  // kNone for what the compiler has made.
  uint32_t of(const llvm::DILocation* location);
  // Gives the function its nodes in the order of the text.
  void finish(Function& function);

 private:
  uint32_t find_or_make(const llvm::DILocation* location);

  UnitBuilder& unit_;
  std::vector<Node> nodes_;
  llvm::DenseMap<const llvm::DILocation*, uint32_t> by_location_;
  std::map<const SourceStatement*, uint32_t> by_statement_;
  std::map<std::pair<std::string, uint32_t>, uint32_t> by_line_;
};

}  // namespace heddle::program
