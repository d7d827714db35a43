// Values of the machine that executes bitcode: bits, and what instructions without effects make of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <llvm/IR/Instruction.h>

namespace heddle::program {

// Throws: the machine does not know what is asked for.
[[noreturn]] void fail(const std::string& what);

uint64_t masked(uint64_t value, unsigned width);
int64_t extended(uint64_t value, unsigned width);  // by its sign
unsigned width_of(const llvm::Type* type);
double as_double(uint64_t bits);
uint64_t as_bits(double value);

template <typename T>
T* pointer(uint64_t bits) {
  return reinterpret_cast<T*>(bits);  // NOLINT: the machine's memory is ours
}
inline uint64_t address_of(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// Conversions, comparisons and arithmetic; `get` knows the operands.
uint64_t compute(const llvm::Instruction& instruction,
                 const std::function<uint64_t(const llvm::Value*)>& get);

}  // namespace heddle::program
