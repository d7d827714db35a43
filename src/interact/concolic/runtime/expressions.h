// Makes the nodes of the expression DAG: hash-consed, simplified where that is cheap, constants folded.
//
// All functions return the handle of a node, or 0 when no node could be made: the value counts as concrete
// then.
#pragma once

#include "interact/concolic/arithmetic.h"
#include "interact/concolic/runtime/recording.h"

namespace heddle::concolic {

inline const Node& node_at(uint32_t handle) {
  return recording.nodes[handle];
}
inline bool is_constant(uint32_t handle) {
  return node_at(handle).operation == Operation::kConstant;
}

uint32_t make_constant(uint32_t width, uint64_t value);
uint32_t make_input(uint32_t width, uint32_t source, uint32_t offset, uint64_t value);
uint32_t make_binary(Operation operation, uint32_t a, uint32_t b);  // arithmetic, comparisons, overflow
uint32_t make_not(uint32_t a);
uint32_t make_extension(Operation operation, uint32_t width, uint32_t a);
uint32_t make_extract(uint32_t width, uint32_t a, uint32_t first_bit);
uint32_t make_concat(uint32_t upper, uint32_t lower);
uint32_t make_ite(uint32_t condition, uint32_t then_node, uint32_t else_node);
uint32_t make_table_read(uint32_t width, uint32_t offset, uint32_t table, uint64_t value);

// Truncates or extends by zeros.
uint32_t make_resized(uint32_t width, uint32_t a);

// Whether the value is a multiple of a power of two for all inputs. False also if that cannot be seen easily.
bool is_multiple_of(uint32_t handle, uint64_t power);

// The node for an operand of the program: of its expression if that is one of exactly this value (it is not,
// if code that is not instrumented wrote the value), else a constant.
uint32_t operand(uint32_t width, uint32_t handle, uint64_t value);

// The same, but 0 instead of a constant.
uint32_t trusted(uint32_t width, uint32_t handle, uint64_t value);

}  // namespace heddle::concolic
