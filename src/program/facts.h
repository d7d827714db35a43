// Facts: what a translation unit does, in a small language of its own.
//
// Units are compiled to LLVM bitcode once, and what matters of it is kept as these facts (extract.h), which
// are quick to read again. Everything that looks at a whole program works on facts: it needs no LLVM, and its
// tests write facts by hand.
//
// A function is a graph of blocks, a block a list of operations, and every operation belongs to a *node*: the
// source statement that it was compiled from. Operations compute values, each computed once (as in SSA).
// Local variables are memory (kLocal), as the compiler without optimisation has them: so every assignment
// that a reader sees is a kStore, and belongs to its statement.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "change/statements.h"

namespace heddle::program {

using ValueId = uint32_t;  // within a function: parameters first, then results of operations
inline constexpr uint32_t kNone = ~0u;

enum class OpKind : uint8_t {
  kConstant,  // result: nothing that is pointed to; `offset` is its value if it is an integer
  kSymbol,    // result: address of `symbol` (a function or a global variable)
  kLocal,     // result: address of a new local variable of `size` bytes, called `name`, of type `type`
  kCompute,   // result: from the values of all operands (arithmetic, comparison, conversion, phi, select).
              // `size` unless 0: it has so few bytes that it is no pointer
  kOffset,    // result: operands[0] plus `offset` bytes; a field
  kElement,   // result: some element of what operands[0] points to; operands[1] selects, of stride `size`.
              // Also constant indices, so that a[i] and a[2] are found at one place. Stride 1: any byte
  kLoad,      // result: *operands[0]
  kStore,     // *operands[0] = operands[1]
  kUpdate,    // atomic read-modify-write: result: *operands[0], which becomes a function of operands[1…]
  kCopy,      // memory: *operands[0] = *operands[1], `size` bytes; 0: unknown
  kFill,      // memory: *operands[0] gets the value operands[1], `size` bytes; 0: unknown
  kCall,      // result: callee(operands…). The callee is `symbol`, or the value `callee`, see below
  kReturn,    // operands[0], if any
  kBranch,    // decides by operands[0] which edge of the block is taken; none: there is only one
  kThrow,     // leaves the function by an exception; operands as thrown
  kFence,
  kUnknown,  // inline assembly and the like: may do anything with what operands point to
};

enum class MemoryOrder : uint8_t {
  kPlain,
  kVolatile,
  kRelaxed,
  kConsume,
  kAcquire,
  kRelease,
  kAcqRel,
  kSeqCst
};

struct Op {
  OpKind kind = OpKind::kConstant;
  MemoryOrder order = MemoryOrder::kPlain;  // of loads, stores, updates, fences
  uint32_t node = kNone;                    // index in Function::nodes; kNone: made by the compiler
  ValueId result = kNone;
  std::vector<ValueId> operands;
  uint32_t symbol = kNone;       // in Unit::symbols
  ValueId callee = kNone;        // of an indirect call
  uint32_t vtable_slot = kNone;  // of a virtual call, with `type` the static class; `callee` is set as well
  // In Unit::types: of a local, of what a field is taken from, of the object of a virtual call; otherwise, in
  // the project's own code, of the object that the result points to.
  uint32_t type = kNone;
  int64_t offset = 0;
  uint64_t size = 0;
  std::string name;  // of a local variable
};

struct Edge {
  uint32_t to = 0;           // block
  std::string label;         // "true", "false", "case 3", "default", "" if there is only one
  bool exceptional = false;  // to a landing pad
};

struct Block {
  std::vector<Op> ops;
  std::vector<Edge> edges;  // none: the function is left
};

// A source statement of the function, or a line where no statement is known.
struct Node {
  std::string file;  // as it is named in the project
  SourceRange range;
  std::string text;  // as SourceStatement has it; empty if no statement is known
  std::string normal;
};

struct Function {
  uint32_t symbol = kNone;
  std::string name;  // qualified, for people and for joining with the text: "ns::Queue::push"
  std::string file;
  uint32_t line = 0;
  uint32_t parameters = 0;
  std::vector<std::string> parameter_names;
  // Parameters that point to memory which is the call's own: objects that are passed by value, and where what
  // is returned has to be constructed. Sorted.
  std::vector<uint32_t> own_parameters;
  uint32_t values = 0;        // number of ValueIds in use
  std::vector<Node> nodes;    // in the order of the text
  std::vector<Block> blocks;  // the first is the entry
  bool is_variadic = false;
  std::string degraded;  // why the body is not known; empty if it is
};

struct Field {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t type = kNone;
};
struct Type {
  std::string name;
  uint64_t size = 0;
  std::vector<Field> fields;     // base classes are fields without a name
  std::vector<uint32_t> bases;   // types
  std::vector<uint32_t> vtable;  // symbols of the class's own virtual table, by slot; kNone: unknown
  struct OtherTable {
    uint64_t offset = 0;  // of the base class that it serves
    std::vector<uint32_t> slots;
  };
  std::vector<OtherTable> other_vtables;  // of further base classes
  bool is_atomic = false;
};

struct Symbol {
  std::string linkage_name;  // internal ones are made unique by the unit
  std::string name;          // qualified
  std::string file;
  uint32_t line = 0;
  bool is_function = false;
  bool is_defined = false;
  bool is_thread_local = false;
  bool is_constant = false;     // cannot be written
  bool is_merged = false;       // inline functions, templates: all units that define it mean one
  uint32_t stands_for = kNone;  // another symbol: another name of it, as constructors have two
  uint32_t type = kNone;
  uint64_t size = 0;
  std::vector<uint32_t> initial_pointers;  // symbols whose addresses it contains from the start
};

struct Unit {
  std::string file;  // the source file that was compiled
  std::vector<Symbol> symbols;
  std::vector<Type> types;
  std::vector<Function> functions;
  std::string degraded;  // clang's first words, if the unit could not be compiled: then only text is known
};

}  // namespace heddle::program
