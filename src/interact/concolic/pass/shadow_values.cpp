#include "interact/concolic/pass/shadow_values.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include "interact/concolic/layout.h"

namespace heddle::concolic {

using namespace llvm;

namespace {

// Of larger ones, such as arrays by value, nothing is tracked.
constexpr size_t kMostLeaves = 64;

void collect(Type* type, std::vector<unsigned>& path, std::vector<Leaf>& leaves) {
  const auto member = [&](Type* inner, unsigned index) {
    path.push_back(index);
    collect(inner, path, leaves);
    path.pop_back();
  };
  if (leaves.size() > kMostLeaves) return;
  if (auto* const structure = dyn_cast<StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i) member(structure->getElementType(i), i);
  } else if (auto* const array = dyn_cast<ArrayType>(type)) {
    for (unsigned i = 0; i < array->getNumElements() && leaves.size() <= kMostLeaves; ++i)
      member(array->getElementType(), i);
  } else {
    leaves.push_back({type, path});
  }
}

}  // namespace

std::vector<Leaf> leaves_of(Type* type) {
  std::vector<Leaf> leaves;
  std::vector<unsigned> path;
  if (!type->isVoidTy()) collect(type, path, leaves);
  if (leaves.size() > kMostLeaves) leaves.clear();
  return leaves;
}

bool is_tracked(Type* type) {
  if (auto* const integer = dyn_cast<IntegerType>(type)) return integer->getBitWidth() <= kWidestNode;
  return type->isPointerTy() && type->getPointerAddressSpace() == 0;
}

unsigned width_of(Type* type) {
  return type->isPointerTy() ? 64 : type->getIntegerBitWidth();
}

Handles ShadowValues::get(Value* value) const {
  const auto found = handles_.find(value);
  if (found != handles_.end()) return found->second;
  return Handles(leaves_of(value->getType()).size(), nullptr);
}

Value* ShadowValues::get_scalar(Value* value) const {
  const auto found = handles_.find(value);
  return found == handles_.end() || found->second.empty() ? nullptr : found->second.front();
}

}  // namespace heddle::concolic
