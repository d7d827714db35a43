// ConstraintGraph: the engine of the points-to analysis. It knows nothing of functions.
//
// A *node* stands for everything that one value, or one place of memory, may hold: a set of *places*. A place
// is an object and an offset in it; what it holds is again a node. Rules between nodes are inclusion
// constraints (Andersen 1994), solved by passing on only what is new (difference propagation), with nodes
// that must be equal made one: cycles of copies are found again whenever enough edges have been added.
//
// Two things keep the sets small:
//  * Elements of an array are one place: an object that is indexed with some stride is *folded*, offsets from
//    the lowest indexed one on count modulo the stride.
//  * Code outside the program is not a set of its own: the place kOutside stands for "something outside, or
//    anything that has escaped" (an implicit set). An object that escapes holds kOutside in all its places,
//    and what is stored into it escapes. So a set with kOutside need not name memory that has escaped, and
//    does not: whatever could be learnt there is learnt from kOutside. Functions stay named.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <unordered_set>
#include <vector>

#include "program/sparse_bits.h"

namespace heddle::program {

class ConstraintGraph {
 public:
  using NodeIndex = uint32_t;
  using PlaceIndex = uint32_t;
  static constexpr PlaceIndex kOutside = 0;
  static constexpr uint32_t kOutsideObject = 0;

  ConstraintGraph();

  NodeIndex add_nodes(uint32_t count);  // the first of them
  void expect_nodes(size_t count);
  // `size` 0: not known. An opaque object (a function) has one place, which holds nothing.
  uint32_t add_object(uint64_t size, bool is_opaque);
  PlaceIndex place(uint32_t object, int64_t offset);

  void points_to(NodeIndex node, PlaceIndex place);
  void copy(NodeIndex from, NodeIndex to);
  // For a caller who knows that nothing but `from` is ever copied to `to`: the two become one.
  void same(NodeIndex from, NodeIndex to) { unite(from, to); }
  void offset(NodeIndex from, NodeIndex to, int64_t bytes);
  void element(NodeIndex from, NodeIndex to, uint64_t stride);
  void load(NodeIndex address, NodeIndex to);
  void store(NodeIndex address, NodeIndex value);
  // `size` 0: not known. What is copied passes through `transit`, an object that nothing points to: so a copy
  // from a thousand objects to a thousand costs two thousand rules, and not a million.
  void copy_memory(NodeIndex to_address, NodeIndex from_address, uint64_t size, uint32_t transit);
  void escapes(NodeIndex node);  // what it points to can be reached from outside
  // `call` is told each place that `callee` points to, once.
  void call(NodeIndex callee, uint32_t call);
  // Offsets of the object are not told apart.
  void merge_offsets(uint32_t object) { fold(object, 0, 1); }

  std::function<void(uint32_t call, uint32_t object)> on_callee;
  std::function<void(uint32_t object)> on_opaque_escape;

  void solve();

  // Nodes that have become one have one.
  NodeIndex representative(NodeIndex node) const { return find(node); }
  uint32_t node_count() const { return static_cast<uint32_t>(nodes_.size()); }
  const SparseBits& places_of(NodeIndex node) const { return nodes_[find(node)].places; }
  uint32_t object_of(PlaceIndex place) const { return places_[place].object; }
  // As far as offsets are told apart.
  int64_t canonical(uint32_t object, int64_t offset) const;
  int64_t offset_of(PlaceIndex place) const {
    return canonical(places_[place].object, places_[place].offset);
  }
  // All that the place may hold; kNone if nothing is known to be stored there.
  NodeIndex contents_of(PlaceIndex place) const { return places_[place].contents; }
  bool has_escaped(uint32_t object) const { return objects_[object].has_escaped; }
  // The bytes of a folded object that [offset, offset + size) may touch: from `start` on, every `stride`.
  struct Fold {
    int64_t start;
    int64_t stride;  // 0: not folded
  };
  Fold fold_of(uint32_t object) const { return objects_[object].fold; }
  const std::vector<PlaceIndex>& places_in(uint32_t object) const { return objects_[object].places; }

 private:
  enum class Rule : uint8_t { kOffset, kElement, kLoad, kStore, kCopyTo, kCopyFrom, kEscape, kCall };
  struct Constraint {
    Rule rule;
    uint32_t other;    // node; of kCall the call; of kCopyTo and kCopyFrom the object between
    int64_t argument;  // bytes, stride, size
  };
  struct NodeState {
    SparseBits places;
    SparseBits fresh;  // not yet passed on
    std::vector<uint32_t> copies;
    std::vector<Constraint> constraints;
    bool is_queued = false;
    bool has_outside = false;  // among its places
  };
  struct Place {
    uint32_t object;
    int64_t offset;
    NodeIndex contents;
  };
  struct MemoryCopy {
    int64_t from;
    int64_t size;  // 0: to the end
    uint32_t to_object;
    int64_t to;
    auto operator<=>(const MemoryCopy&) const = default;
  };
  struct Object {
    uint64_t size;
    bool is_opaque;
    bool has_escaped = false;
    bool is_read_outside = false;  // what it holds escapes
    Fold fold{0, 0};
    std::vector<PlaceIndex> places;
    std::vector<MemoryCopy> copies;
    std::set<MemoryCopy> known_copies;  // the same: an object that much is copied from has thousands
  };

  NodeIndex find(NodeIndex node) const;
  bool add_places(NodeIndex node, const SparseBits& places);
  void meets_outside(NodeIndex node);
  void queue(NodeIndex node);
  void unite(NodeIndex a, NodeIndex b);
  void collapse_cycles();
  void leave_out_escaped();
  void propagate(NodeIndex node);
  void apply(NodeIndex node, const Constraint& constraint, PlaceIndex place);
  void add_constraint(NodeIndex node, Constraint constraint);
  void move(PlaceIndex from, int64_t bytes, NodeIndex to);
  void fold(uint32_t object, int64_t start, int64_t stride);
  void escape_object(uint32_t object);
  void copy_between(PlaceIndex from, PlaceIndex to, int64_t size);
  void read_outside(uint32_t object);
  void apply_copy(PlaceIndex from, const MemoryCopy& copy);

  // Beyond this many places an object is taken for an array of unknown shape.
  static constexpr size_t kMaxPlaces = 256;

  std::vector<NodeState> nodes_;
  mutable std::vector<NodeIndex> parents_;
  std::vector<uint32_t> rank_;  // order in which nodes are best processed
  std::vector<Place> places_;
  DenseBits escaped_places_;  // of memory; not kOutside itself
  std::vector<Object> objects_;
  std::vector<NodeIndex> queue_;
  size_t new_edges_ = 0;
};

}  // namespace heddle::program
