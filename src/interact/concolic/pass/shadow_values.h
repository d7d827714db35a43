// Which handles stand for the values of a function: one per leaf of a value's type, in order. A leaf without
// a handle (null) is concrete, which is known at compile time; for integers wider than 64 bits, floats and
// vectors all are.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Value.h>

namespace heddle::concolic {

struct Leaf {
  llvm::Type* type;
  std::vector<unsigned> path;  // of indices, as extractvalue has them
};

// The scalars that a type consists of; a scalar has one.
std::vector<Leaf> leaves_of(llvm::Type* type);

// Whether values of this type can have a handle: integers up to 64 bits and pointers.
bool is_tracked(llvm::Type* type);

// Bits of a tracked type.
unsigned width_of(llvm::Type* type);

using Handles = std::vector<llvm::Value*>;  // i32, or null

class ShadowValues {
 public:
  // Of constants and values that nothing was set for: none.
  Handles get(llvm::Value* value) const;
  llvm::Value* get_scalar(llvm::Value* value) const;
  void set(llvm::Value* value, Handles handles) { handles_[value] = std::move(handles); }
  void set_scalar(llvm::Value* value, llvm::Value* handle) { handles_[value] = {handle}; }

 private:
  llvm::DenseMap<llvm::Value*, Handles> handles_;
};

}  // namespace heddle::concolic
