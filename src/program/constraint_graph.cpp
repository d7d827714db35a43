#include "program/constraint_graph.h"

#include <algorithm>
#include <numeric>

#include "program/facts.h"

namespace heddle::program {

ConstraintGraph::ConstraintGraph() {
  add_object(0, true);
  place(kOutsideObject, 0);
}

ConstraintGraph::NodeIndex ConstraintGraph::add_nodes(uint32_t count) {
  const auto first = static_cast<NodeIndex>(nodes_.size());
  nodes_.resize(nodes_.size() + count);
  for (uint32_t i = 0; i < count; ++i) {
    parents_.push_back(first + i);
    rank_.push_back(first + i);
  }
  return first;
}

void ConstraintGraph::expect_nodes(size_t count) {
  nodes_.reserve(count);
  parents_.reserve(count);
  rank_.reserve(count);
}

uint32_t ConstraintGraph::add_object(uint64_t size, bool is_opaque) {
  objects_.push_back({.size = size, .is_opaque = is_opaque, .places = {}, .copies = {}, .known_copies = {}});
  return static_cast<uint32_t>(objects_.size() - 1);
}

int64_t ConstraintGraph::canonical(uint32_t object, int64_t offset) const {
  const Object& it = objects_[object];
  if (it.is_opaque) return 0;
  if (it.fold.stride == 0 || offset < it.fold.start) return offset;
  return it.fold.start + (offset - it.fold.start) % it.fold.stride;
}

ConstraintGraph::PlaceIndex ConstraintGraph::place(uint32_t object, int64_t offset) {
  offset = canonical(object, offset);
  for (PlaceIndex known : objects_[object].places) {
    if (places_[known].offset == offset) return known;
  }
  if (objects_[object].places.size() >= kMaxPlaces && objects_[object].fold.stride != 1) {
    fold(object, 0, 1);
    return place(object, offset);
  }
  const auto index = static_cast<PlaceIndex>(places_.size());
  const NodeIndex contents = objects_[object].is_opaque ? kNone : add_nodes(1);
  places_.push_back({object, offset, contents});
  objects_[object].places.push_back(index);
  if (objects_[object].has_escaped && contents != kNone) {
    escaped_places_.insert(index);
    points_to(contents, kOutside);
    escapes(contents);
  }
  if (objects_[object].is_read_outside && contents != kNone) escapes(contents);
  for (size_t i = 0; i < objects_[object].copies.size(); ++i) {
    const MemoryCopy copy = objects_[object].copies[i];
    apply_copy(index, copy);
  }
  return index;
}

ConstraintGraph::NodeIndex ConstraintGraph::find(NodeIndex node) const {
  while (parents_[node] != node) {
    parents_[node] = parents_[parents_[node]];
    node = parents_[node];
  }
  return node;
}

void ConstraintGraph::queue(NodeIndex node) {
  if (nodes_[node].is_queued) return;
  nodes_[node].is_queued = true;
  queue_.push_back(node);
}

void ConstraintGraph::points_to(NodeIndex node, PlaceIndex place) {
  node = find(node);
  if (place == kOutside) meets_outside(node);
  NodeState& it = nodes_[node];
  if (it.has_outside && escaped_places_.contains(place)) return;
  if (!it.places.insert(place)) return;
  it.fresh.insert(place);
  queue(node);
}

void ConstraintGraph::meets_outside(NodeIndex node) {
  NodeState& it = nodes_[node];
  if (it.has_outside) return;
  it.has_outside = true;
  it.places.remove(escaped_places_);
  it.fresh.remove(escaped_places_);
}

bool ConstraintGraph::add_places(NodeIndex node, const SparseBits& places) {
  if (places.contains(kOutside)) meets_outside(node);
  static const DenseBits kNothing;
  NodeState& it = nodes_[node];
  return it.places.unite(places, it.fresh, it.has_outside ? escaped_places_ : kNothing);
}

void ConstraintGraph::copy(NodeIndex from, NodeIndex to) {
  from = find(from);
  to = find(to);
  if (from == to) return;
  std::vector<uint32_t>& copies = nodes_[from].copies;
  const auto at = std::lower_bound(copies.begin(), copies.end(), to);
  if (at != copies.end() && *at == to) return;
  copies.insert(at, to);
  ++new_edges_;
  if (add_places(to, nodes_[from].places)) queue(to);
}

void ConstraintGraph::add_constraint(NodeIndex node, Constraint constraint) {
  node = find(node);
  nodes_[node].constraints.push_back(constraint);
  // What is fresh will meet it when the node is processed.
  std::vector<PlaceIndex> old;
  nodes_[node].places.for_each([&](PlaceIndex place) {
    if (!nodes_[node].fresh.contains(place)) old.push_back(place);
  });
  for (PlaceIndex place : old) apply(node, constraint, place);
}

void ConstraintGraph::offset(NodeIndex from, NodeIndex to, int64_t bytes) {
  if (bytes == 0) return copy(from, to);
  add_constraint(from, {Rule::kOffset, to, bytes});
}
void ConstraintGraph::element(NodeIndex from, NodeIndex to, uint64_t stride) {
  add_constraint(from, {Rule::kElement, to, stride == 0 ? 1 : static_cast<int64_t>(stride)});
}
void ConstraintGraph::load(NodeIndex address, NodeIndex to) {
  add_constraint(address, {Rule::kLoad, to, 0});
}
void ConstraintGraph::store(NodeIndex address, NodeIndex value) {
  add_constraint(address, {Rule::kStore, value, 0});
}
void ConstraintGraph::copy_memory(NodeIndex to_address, NodeIndex from_address, uint64_t size,
                                  uint32_t transit) {
  add_constraint(to_address, {Rule::kCopyTo, transit, static_cast<int64_t>(size)});
  add_constraint(from_address, {Rule::kCopyFrom, transit, static_cast<int64_t>(size)});
}
void ConstraintGraph::escapes(NodeIndex node) {
  node = find(node);
  for (const Constraint& constraint : nodes_[node].constraints) {
    if (constraint.rule == Rule::kEscape) return;
  }
  add_constraint(node, {Rule::kEscape, 0, 0});
}
void ConstraintGraph::call(NodeIndex callee, uint32_t call) {
  add_constraint(callee, {Rule::kCall, call, 0});
}

void ConstraintGraph::apply(NodeIndex, const Constraint& constraint, PlaceIndex place) {
  const uint32_t object = places_[place].object;
  const bool is_opaque = objects_[object].is_opaque;
  switch (constraint.rule) {
    case Rule::kOffset:
      return move(place, constraint.argument, constraint.other);
    case Rule::kElement:
      if (!is_opaque) fold(object, places_[place].offset, constraint.argument);
      points_to(constraint.other, this->place(object, places_[place].offset));
      return;
    case Rule::kLoad:
      if (object == kOutsideObject) points_to(constraint.other, kOutside);
      if (!is_opaque) copy(places_[place].contents, constraint.other);
      return;
    case Rule::kStore:
      if (object == kOutsideObject) escapes(constraint.other);
      if (!is_opaque) copy(constraint.other, places_[place].contents);
      return;
    case Rule::kCopyTo:
      return copy_between(this->place(constraint.other, 0), place, constraint.argument);
    case Rule::kCopyFrom:
      return copy_between(place, this->place(constraint.other, 0), constraint.argument);
    case Rule::kEscape:
      escape_object(object);
      return;
    case Rule::kCall:
      on_callee(constraint.other, object);
      return;
  }
}

void ConstraintGraph::move(PlaceIndex from, int64_t bytes, NodeIndex to) {
  const uint32_t object = places_[from].object;
  if (objects_[object].is_opaque) return points_to(to, from);
  const Fold fold = objects_[object].fold;
  const auto size = static_cast<int64_t>(objects_[object].size);
  const int64_t offset = canonical(object, places_[from].offset);
  if (fold.stride != 0 && offset >= fold.start) {
    // From some element to another. From the first, it may also be to what lies before the array.
    const int64_t in_element = (offset - fold.start + bytes) % fold.stride;
    points_to(to, place(object, fold.start + (in_element < 0 ? in_element + fold.stride : in_element)));
    if (offset + bytes >= fold.start) return;
  }
  // No valid program has a pointer outside the object.
  if (offset + bytes < 0 || (size != 0 && offset + bytes > size)) return;
  points_to(to, place(object, offset + bytes));
}

void ConstraintGraph::fold(uint32_t object, int64_t start, int64_t stride) {
  Fold fold{start, stride};
  const Fold old = objects_[object].fold;
  if (old.stride != 0) {
    fold.start = std::min(start, old.start);
    fold.stride = std::gcd(std::gcd(stride, old.stride), std::max(start, old.start) - fold.start);
  }
  if (fold.start == old.start && fold.stride == old.stride) return;
  objects_[object].fold = fold;
  const std::vector<PlaceIndex> before = objects_[object].places;
  for (PlaceIndex known : before) {
    const PlaceIndex canonical_place = place(object, places_[known].offset);
    if (canonical_place != known) unite(places_[known].contents, places_[canonical_place].contents);
  }
  const std::vector<MemoryCopy> copies = objects_[object].copies;
  for (const MemoryCopy& copy : copies) {
    this->fold(copy.to_object, std::max<int64_t>(0, copy.to + fold.start - copy.from), fold.stride);
  }
}

void ConstraintGraph::escape_object(uint32_t object) {
  if (objects_[object].has_escaped) return;
  objects_[object].has_escaped = true;
  if (object == kOutsideObject) return;
  if (objects_[object].is_opaque) return on_opaque_escape(object);
  const std::vector<PlaceIndex> places = objects_[object].places;
  for (PlaceIndex place : places) {
    escaped_places_.insert(place);
    points_to(places_[place].contents, kOutside);
    escapes(places_[place].contents);
  }
}

void ConstraintGraph::copy_between(PlaceIndex from, PlaceIndex to, int64_t size) {
  const uint32_t from_object = places_[from].object;
  const uint32_t to_object = places_[to].object;
  if (to_object == kOutsideObject) return read_outside(from_object);
  if (objects_[to_object].is_opaque) return;
  if (from_object == kOutsideObject) {
    // It may write a pointer anywhere from there on.
    fold(to_object, places_[to].offset, 1);
    points_to(places_[place(to_object, places_[to].offset)].contents, kOutside);
    return;
  }
  if (objects_[from_object].is_opaque) return;
  const MemoryCopy copy{offset_of(from), size, to_object, offset_of(to)};
  if (!objects_[from_object].known_copies.insert(copy).second) return;
  objects_[from_object].copies.push_back(copy);
  const Fold folded = objects_[from_object].fold;
  if (folded.stride != 0) {
    fold(to_object, std::max<int64_t>(0, copy.to + folded.start - copy.from), folded.stride);
  }
  const std::vector<PlaceIndex> places = objects_[from_object].places;
  for (PlaceIndex place : places) apply_copy(place, copy);
}

void ConstraintGraph::read_outside(uint32_t object) {
  if (objects_[object].is_opaque || objects_[object].is_read_outside) return;
  objects_[object].is_read_outside = true;
  const std::vector<PlaceIndex> places = objects_[object].places;
  for (PlaceIndex place : places) escapes(places_[place].contents);
}

void ConstraintGraph::apply_copy(PlaceIndex from, const MemoryCopy& copy) {
  const Fold folded = objects_[places_[from].object].fold;
  int64_t distance = places_[from].offset - copy.from;
  if (folded.stride != 0 && places_[from].offset >= folded.start) {
    // It stands for all elements; the first that is copied is enough, as the target is folded, too.
    if (distance < 0) distance += (-distance + folded.stride - 1) / folded.stride * folded.stride;
  }
  if (distance < 0 || (copy.size != 0 && distance >= copy.size)) return;
  const Object& target = objects_[copy.to_object];
  if (target.size != 0 && copy.to + distance > static_cast<int64_t>(target.size)) return;
  const PlaceIndex to = place(copy.to_object, copy.to + distance);
  this->copy(places_[from].contents, places_[to].contents);
}

void ConstraintGraph::unite(NodeIndex a, NodeIndex b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  parents_[b] = a;
  NodeState merged = std::move(nodes_[b]);
  nodes_[b] = {};
  nodes_[b].is_queued = merged.is_queued;
  NodeState& into = nodes_[a];
  // Either side's rules have not seen the other's places: all of them count as fresh.
  add_places(a, merged.places);
  into.fresh = into.places;
  std::vector<uint32_t> copies;
  std::set_union(into.copies.begin(), into.copies.end(), merged.copies.begin(), merged.copies.end(),
                 std::back_inserter(copies));
  into.copies = std::move(copies);
  into.constraints.insert(into.constraints.end(), merged.constraints.begin(), merged.constraints.end());
  if (!into.fresh.empty()) queue(a);
}

void ConstraintGraph::propagate(NodeIndex node) {
  SparseBits fresh = std::move(nodes_[node].fresh);
  nodes_[node].fresh = {};
  if (nodes_[node].has_outside) fresh.remove(escaped_places_);
  if (fresh.empty()) return;
  for (size_t i = 0; i < nodes_[node].constraints.size(); ++i) {
    const Constraint constraint = nodes_[node].constraints[i];
    fresh.for_each([&](PlaceIndex place) { apply(node, constraint, place); });
    if (find(node) != node) return;  // folded into another, which has all of it as fresh
  }
  bool has_stale = false;
  for (size_t i = 0; i < nodes_[node].copies.size(); ++i) {
    const NodeIndex to = find(nodes_[node].copies[i]);
    has_stale |= to != nodes_[node].copies[i];
    if (to != node && add_places(to, fresh)) queue(to);
  }
  if (has_stale) {
    std::vector<uint32_t>& copies = nodes_[node].copies;
    for (uint32_t& to : copies) to = find(to);
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
  }
}

// Tarjan's strongly connected components, without recursion; also gives the order to process nodes in.
void ConstraintGraph::collapse_cycles() {
  const auto count = static_cast<uint32_t>(nodes_.size());
  std::vector<uint32_t> index(count, 0);
  std::vector<uint32_t> low(count, 0);
  std::vector<bool> done(count);
  std::vector<NodeIndex> open;
  std::vector<std::pair<NodeIndex, size_t>> stack;
  std::vector<std::vector<NodeIndex>> cycles;
  uint32_t next = 1;
  uint32_t finished = count;
  // Most nodes pass nothing on: they are in no cycle, and come last.
  const auto is_inner = [&](NodeIndex node) { return !nodes_[node].copies.empty(); };
  std::fill(rank_.begin(), rank_.end(), count);
  for (NodeIndex root = 0; root < count; ++root) {
    if (index[root] != 0 || !is_inner(root)) continue;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [at, edge] = stack.back();
      if (edge == 0 && index[at] == 0) {
        index[at] = low[at] = next++;
        open.push_back(at);
      }
      if (edge < nodes_[at].copies.size()) {
        const NodeIndex to = find(nodes_[at].copies[edge++]);
        if (!is_inner(to)) continue;
        if (index[to] == 0) {
          stack.push_back({to, 0});
        } else if (!done[to]) {
          low[at] = std::min(low[at], index[to]);
        }
        continue;
      }
      const NodeIndex closed = at;
      stack.pop_back();
      if (!stack.empty()) low[stack.back().first] = std::min(low[stack.back().first], low[closed]);
      if (low[closed] != index[closed]) continue;
      std::vector<NodeIndex> members;
      while (true) {
        const NodeIndex member = open.back();
        open.pop_back();
        done[member] = true;
        rank_[member] = finished;
        members.push_back(member);
        if (member == closed) break;
      }
      --finished;
      if (members.size() > 1) cycles.push_back(std::move(members));
    }
  }
  for (const std::vector<NodeIndex>& members : cycles) {
    for (NodeIndex member : members) unite(members[0], member);
  }
  leave_out_escaped();
  new_edges_ = 0;
}

void ConstraintGraph::leave_out_escaped() {
  for (NodeState& node : nodes_)
    if (node.has_outside) node.places.remove(escaped_places_);
}

void ConstraintGraph::solve() {
  collapse_cycles();
  size_t threshold = std::max<size_t>(1000, nodes_.size() / 3);
  while (!queue_.empty()) {
    if (new_edges_ > threshold) {
      collapse_cycles();
      threshold += threshold / 4;  // later rounds find less
    }
    std::vector<NodeIndex> round = std::move(queue_);
    queue_.clear();
    for (NodeIndex& node : round) {
      nodes_[node].is_queued = false;
      node = find(node);
    }
    std::sort(round.begin(), round.end(),
              [&](NodeIndex a, NodeIndex b) { return rank_[a] != rank_[b] ? rank_[a] < rank_[b] : a < b; });
    round.erase(std::unique(round.begin(), round.end()), round.end());
    for (NodeIndex node : round) {
      if (find(node) == node) propagate(node);
    }
  }
  leave_out_escaped();
}

}  // namespace heddle::program
