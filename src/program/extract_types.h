// TypeTable: classes of a unit, from its debug information. Private to the extraction: LLVM types here.
#pragma once

#include <string>
#include <unordered_map>

#include <llvm/IR/DebugInfoMetadata.h>

#include "program/facts.h"

namespace heddle::program {

class TypeTable {
 public:
  explicit TypeTable(Unit& unit) : unit_(unit) {}

  // Of a class, a union or an atomic; of the elements, for an array. kNone for everything else.
  uint32_t index_of(const llvm::DIType* type);
  // The class that is called so; kNone if the unit does not describe it.
  uint32_t find(const std::string& identifier, const std::string& qualified_name) const;
  // All classes that the unit describes are known by their identifier, also those nobody has asked for.
  void remember(const llvm::DICompositeType* type);

 private:
  void fill(uint32_t index, const llvm::DICompositeType* type);

  Unit& unit_;
  std::unordered_map<const llvm::DIType*, uint32_t> indices_;
  std::unordered_map<std::string, uint32_t> by_name_;  // identifiers and qualified names
};

// Without typedefs and qualifiers; nullptr for void.
const llvm::DIType* bare_type(const llvm::DIType* type);
// What a pointer or reference points to; nullptr if it is none.
const llvm::DIType* pointee_type(const llvm::DIType* type);
// What stands at the offset: a member, a base class or an element. nullptr if that is not known.
const llvm::DIType* part_of_type(const llvm::DIType* type, uint64_t offset);
// The pointer that stands at the very beginning, if there is one: what loading a pointer from there gives.
const llvm::DIType* leading_pointer(const llvm::DIType* type);
// "ns::Queue<int>::Node"
std::string qualified_type_name(const llvm::DIType* type);
bool is_class(const llvm::DIType* type);

}  // namespace heddle::program
