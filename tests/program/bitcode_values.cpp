#include "bitcode_values.h"

#include <cstring>
#include <stdexcept>

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

namespace heddle::program {

void fail(const std::string& what) {
  throw std::runtime_error(what);
}

uint64_t masked(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t{1} << width) - 1);
}
int64_t extended(uint64_t value, unsigned width) {
  if (width >= 64) return static_cast<int64_t>(value);
  const uint64_t sign = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((masked(value, width) ^ sign) - sign);
}
unsigned width_of(const llvm::Type* type) {
  return type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
}
double as_double(uint64_t bits) {
  double result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}
uint64_t as_bits(double value) {
  uint64_t result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

uint64_t compute(const llvm::Instruction& instruction,
                 const std::function<uint64_t(const llvm::Value*)>& get) {
  const uint64_t a = get(instruction.getOperand(0));
  const unsigned width = width_of(instruction.getOperand(0)->getType());
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    switch (cast->getOpcode()) {
      case llvm::Instruction::SExt:
        return static_cast<uint64_t>(extended(a, width));
      case llvm::Instruction::UIToFP:
        return as_bits(static_cast<double>(a));
      case llvm::Instruction::FPToUI:
        return static_cast<uint64_t>(as_double(a));
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::BitCast:
        return a;
      default:
        fail("conversion");
    }
  }
  if (instruction.getNumOperands() < 2) fail(instruction.getOpcodeName());
  const uint64_t b = get(instruction.getOperand(1));
  if (const auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return llvm::ICmpInst::compare(llvm::APInt(width, a), llvm::APInt(width, b), compared->getPredicate());
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
      return a + b;
    case llvm::Instruction::Sub:
      return a - b;
    case llvm::Instruction::Mul:
      return a * b;
    case llvm::Instruction::And:
      return a & b;
    case llvm::Instruction::Or:
      return a | b;
    case llvm::Instruction::Xor:
      return a ^ b;
    case llvm::Instruction::Shl:
      return a << b;
    case llvm::Instruction::LShr:
      return a >> b;
    case llvm::Instruction::AShr:
      return static_cast<uint64_t>(extended(a, width) >> b);
    case llvm::Instruction::UDiv:
      return a / b;
    case llvm::Instruction::URem:
      return a % b;
    case llvm::Instruction::SDiv:
      return static_cast<uint64_t>(extended(a, width) / extended(b, width));
    case llvm::Instruction::SRem:
      return static_cast<uint64_t>(extended(a, width) % extended(b, width));
    case llvm::Instruction::FMul:
      return as_bits(as_double(a) * as_double(b));
    case llvm::Instruction::FAdd:
      return as_bits(as_double(a) + as_double(b));
    default:
      fail(instruction.getOpcodeName());
  }
}

}  // namespace heddle::program
