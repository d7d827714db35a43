// AtomicSets: which locations belong together.
//
// What is in one atomic set is consistent only together. By default that is an object: a heap allocation, or
// a variable of the program. A program can say it better with heddle_atomic_set(): a piece of memory that is
// named for a set belongs to that set and no longer to its object's. docs/atomicity.md has the rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// Offsets within an object of a trace.
struct Extent {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Where variables lie in the objects that hold many of them: the globals of a module, the stack of a thread.
// Whoever knows symbols implements this; the default knows none.
class Variables {
 public:
  virtual ~Variables() = default;
  virtual std::optional<Extent> variable_at(uint32_t /*object*/, uint64_t /*offset*/) const { return {}; }
};

enum class SetKind : uint8_t {
  kLocation,  // one location, alone
  kObject,    // an allocation
  kVariable,  // a global or local variable
  kNamed,     // by the program
};

struct AtomicSet {
  SetKind kind = SetKind::kLocation;
  uint32_t object = 0;    // of the memory; of a named set, of its first piece
  uint64_t begin = 0;     // where it begins in that
  std::string_view name;  // of a named set
};

class AtomicSets {
 public:
  // Larger objects are buffers and arrays, whose parts have nothing to do with each other.
  static constexpr uint64_t kLargestObject = 4096;

  // Both must outlive this.
  AtomicSets(const trace::Trace& trace, const Variables& variables);

  // The number of the set that a location belongs to. It does not depend on time: what a program names holds
  // for the whole trace, since constructors write before they name.
  uint32_t set_of(uint32_t object, uint64_t offset);

  const AtomicSet& operator[](uint32_t set) const { return sets_[set]; }
  size_t size() const { return sets_.size(); }
  uint64_t large_objects() const { return large_.size(); }

 private:
  struct Key {
    SetKind kind;
    uint32_t object;
    uint64_t begin;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  struct Piece {
    uint64_t end = 0;
    uint32_t set = 0;
  };
  using Pieces = std::map<uint64_t, Piece>;  // by begin; they do not overlap

  void read_names();
  static void name_piece(Pieces& pieces, Extent where, uint32_t set);
  uint32_t numbered(SetKind kind, uint32_t object, uint64_t begin);
  bool is_large(uint32_t object, uint64_t begin, uint64_t bytes);

  const trace::Trace& trace_;
  const Variables& variables_;
  std::vector<AtomicSet> sets_;
  std::unordered_map<Key, uint32_t, KeyHash> numbers_;
  std::unordered_map<uint32_t, Pieces> named_;  // by object of the memory
  std::set<std::pair<uint32_t, uint64_t>> large_;
};

}  // namespace heddle
