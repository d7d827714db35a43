// What an instrumented program and the tool share: the arena that a recording is written into.
//
// Before an execution the tool writes a request into the header of the arena, a file that both map; the
// runtime (runtime/) fills in what happened. A recording is
//   - nodes: an expression DAG. The handle of a node is its index, 0 means "concrete". Operands come before
//   their
//     node, nodes are hash-consed, and each knows the value that it had in this execution;
//   - events, in the order of execution: branches that depend on input, and watched statements that were
//   reached;
//   - tables: copies of objects that were read at an index which depends on input.
// Nothing here may need more than the standard integer types: the runtime is linked into C programs.
#pragma once

#include <stdint.h>

namespace heddle::concolic {

#define HEDDLE_CONCOLIC_OPERATIONS(X)                                                                 \
  X(Constant) /* value */                                                                             \
  X(Input)    /* a: source, b: offset */                                                              \
  X(Add)                                                                                              \
  X(Sub)                                                                                              \
  X(Mul)                                                                                              \
  X(UDiv)                                                                                             \
  X(SDiv)                                                                                             \
  X(URem)                                                                                             \
  X(SRem) /* of zero: as SMT-LIB has it */                                                            \
  X(And)                                                                                              \
  X(Or) X(Xor) X(Shl) X(LShr) X(AShr)   /* by the width or more: zeros, or copies of the sign */      \
      X(Eq) X(Ult) X(Ule) X(Slt) X(Sle) /* of width 1 */                                              \
      X(UAddOverflow) X(SAddOverflow) X(USubOverflow) X(SSubOverflow) X(UMulOverflow) X(SMulOverflow) \
          X(ZExt) X(SExt) /* of a */                                                                  \
      X(Extract)          /* of a, from bit c on */                                                   \
      X(Concat)           /* a: the upper bits, b: the lower ones */                                  \
      X(Ite)              /* a ? b : c */                                                             \
      X(Table)            /* what stands in table c at offset a, in bytes; a multiple of the result's size */

enum class Operation : uint8_t {
#define HEDDLE_X(name) k##name,
  HEDDLE_CONCOLIC_OPERATIONS(HEDDLE_X)
#undef HEDDLE_X
      kCount
};

constexpr uint32_t kWidestNode = 64;

struct Node {
  Operation operation;
  uint8_t width;  // bits: 1 to 64
  uint16_t unused;
  uint32_t a;
  uint32_t b;
  uint32_t c;
  uint64_t value;  // in the recorded execution
};

// Where a byte of input comes from: the kind, and which one of several.
enum class SourceKind : uint8_t {
  kArgument,       // argv[index]; bytes of width 8, the closing NUL and the slack behind it too
  kArgumentCount,  // one value of width 32
  kStandardInput,
  kStandardInputSize,  // one value of width 64: how many bytes there are
  kFile,
  kFileSize,
};
constexpr uint32_t make_source(SourceKind kind, uint32_t index) {
  return static_cast<uint32_t>(kind) << 24 | index;
}
constexpr SourceKind source_kind(uint32_t source) {
  return static_cast<SourceKind>(source >> 24);
}
constexpr uint32_t source_index(uint32_t source) {
  return source & 0xffffffU;
}

// What a site and its events are about.
enum class SiteKind : uint8_t {
  kBranch,      // a condition of the program: if, loop, &&, || …
  kSwitchCase,  // is it this case?
  kAddress,     // an address (or size) is used that depends on input: is it this one?
  kBounds,      // an index into an object of known size: is it inside?
  kDivisor,     // is the divisor zero, or the quotient too large?
  kMark,        // a watched statement was reached
  kCall,        // of one of heddle's libc functions: Event::caller
  kObserve,     // heddle_concolic_observe() of tests
};

struct Event {
  uint32_t site;
  uint32_t condition;  // handle of width 1; of the observed value for kObserve; 0 for kMark
  uint32_t caller;     // the call in the program's own code, plus 1, if the site is one of libc/; else 0
  SiteKind kind;
  uint8_t taken;
  uint16_t unused;
  uint64_t value;  // kObserve and kAddress: what it was
};

struct Table {
  uint64_t data;  // offset into the arena's table bytes
  uint32_t size;
  uint32_t unused;
};

// Why nothing more was recorded; the program itself went on.
enum class Stop : uint32_t { kNot, kNodes, kEvents, kTables };

constexpr uint64_t kArenaMagic = 0x31434e4f434c4448;  // "HDLCONC1"
constexpr uint32_t kFileNameSize = 512;

namespace symbolic {
constexpr uint32_t kArguments = 1;
constexpr uint32_t kArgumentCount = 2;
constexpr uint32_t kStandardInput = 4;
constexpr uint32_t kFile = 8;
}  // namespace symbolic

struct ArenaHeader {
  uint64_t magic;

  // The request.
  uint32_t symbolic;      // symbolic::…
  uint32_t slack;         // bytes behind the end of each argument that a longer one can use
  uint32_t longest_file;  // bytes of stdin and the file from here on are concrete
  uint32_t node_capacity;
  uint32_t event_capacity;
  uint32_t table_capacity;
  uint32_t table_byte_capacity;
  uint32_t unused;
  char file_name[kFileNameSize];  // as the program opens it

  // What happened.
  uint32_t started;  // main was reached
  uint32_t node_count;
  uint32_t event_count;
  uint32_t table_count;
  uint32_t table_byte_count;
  Stop stop;
  uint32_t mismatches;  // shadows that did not have the concrete value: memory that libraries wrote
  uint32_t unused_end;
};

// The parts of the arena follow each other, each at a multiple of eight bytes.
struct ArenaLayout {
  uint64_t nodes;
  uint64_t events;
  uint64_t tables;
  uint64_t table_bytes;
  uint64_t size;
};
constexpr ArenaLayout arena_layout(uint32_t node_capacity, uint32_t event_capacity, uint32_t table_capacity,
                                   uint32_t table_byte_capacity) {
  ArenaLayout layout{};
  layout.nodes = sizeof(ArenaHeader);
  layout.events = layout.nodes + sizeof(Node) * uint64_t{node_capacity};
  layout.tables = layout.events + sizeof(Event) * uint64_t{event_capacity};
  layout.table_bytes = layout.tables + sizeof(Table) * uint64_t{table_capacity};
  layout.size = layout.table_bytes + table_byte_capacity;
  return layout;
}

// An entry of the binary's section of sites. The pass writes them (pass/site_table.cpp).
struct SiteRecord {
  const char* function;  // mangled
  const char* file;      // as the compiler was told
  const char* folder;    // that the file is relative to
  uint32_t line;
  uint32_t column;
  uint32_t taken_line;  // of the first statement after it if the condition holds; 0: not known
  uint32_t taken_column;
  uint32_t not_taken_line;
  uint32_t not_taken_column;
  uint32_t kind;     // SiteKind
  uint32_t library;  // 1: in heddle's own libc functions
};

constexpr char kArenaVariable[] = "HEDDLE_CONCOLIC_ARENA";  // an open file; without it nothing is recorded
constexpr char kSitesVariable[] = "HEDDLE_CONCOLIC_SITES";  // a path: write the sites there, and end

constexpr char kSitesTitle[] = "heddle-concolic-sites-1";  // the first line of that file

// How expressions are handed over between functions; thread-local, one per thread.
constexpr uint32_t kFrameArguments = 24;
constexpr uint32_t kFrameResults = 8;
struct CallFrame {
  const void* callee;        // the arguments are for this function
  const void* returned;      // the results are of this function
  const SiteRecord* caller;  // the last call of one of heddle's libc functions
  uint32_t arguments[kFrameArguments];
  uint32_t results[kFrameResults];
  const void* sources[kFrameArguments];  // of arguments that are passed by a copy in memory
};

// Which bytes of memory may have an expression: one counter per granule, hashed. A granule's counter is not
// zero if it or the next one has a byte with an expression, since an access may begin in one and end in the
// next.
constexpr uint32_t kGranuleShift = 6;
constexpr uint32_t kFilterSize = 1U << 18;

// The intrinsics that the runtime composes of other operations.
enum class Composite : uint32_t {
  kSMin,
  kSMax,
  kUMin,
  kUMax,
  kAbs,
  kByteSwap,
  kBitReverse,
  kPopulationCount,
  kLeadingZeros,
  kTrailingZeros,
  kFunnelLeft,
  kFunnelRight,
  kUAddSaturated,
  kSAddSaturated,
  kUSubSaturated,
  kSSubSaturated,
};

}  // namespace heddle::concolic
