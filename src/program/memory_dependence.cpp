#include "program/memory_dependence.h"

#include <algorithm>
#include <map>

#include "program/flow_graph.h"

namespace heddle::program {
namespace {

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// Beyond this many pairs of ranges, the bytes of an object are not told apart.
constexpr size_t kMaxPairs = 4096;

}  // namespace

MemoryDependence::MemoryDependence(const Program& program, const PointsTo& points_to, Vertices& vertices,
                                   std::vector<DependenceEdge>& edges)
    : program_(program),
      points_to_(points_to),
      vertices_(vertices),
      edges_(edges),
      outside_reads_(vertices.add_helper()),
      outside_writes_(vertices.add_helper()) {
  add_edge(outside_writes_, outside_reads_);
}

void MemoryDependence::add_function(FunctionIndex f, const std::vector<std::vector<uint32_t>>& op_vertices) {
  const Function& function = program_.function(f);
  addresses_.assign(function.values, {});
  locals_.clear();
  // A variable made anew in each round of a loop is not one variable.
  const FlowGraph graph(function, FlowGraph::Edges::kAll);
  const std::vector<bool> in_cycle = graph.in_cycle();
  for (uint32_t b : graph.reverse_postorder()) {
    for (const Op& op : function.blocks[b].ops) {
      if (op.kind == OpKind::kLocal && !in_cycle[b]) {
        const std::vector<Pointee> self = points_to_.pointees(f, op.result);
        if (self.size() == 1) addresses_[op.result] = {op.result, self[0].object, 0, true};
      } else if (op.kind == OpKind::kOffset || op.kind == OpKind::kElement) {
        Address address = addresses_[op.operands[0]];
        address.offset += op.offset;
        address.is_exact &= op.kind == OpKind::kOffset;
        addresses_[op.result] = address;
      }
    }
  }
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o) {
      add_op({f, b, o}, function.blocks[b].ops[o], op_vertices[b][o]);
    }
  }
  for (const auto& [from, to] : reaching_definitions(function, locals_)) add_edge(from, to);
}

void MemoryDependence::add_op(const OpId& id, const Op& op, uint32_t vertex) {
  switch (op.kind) {
    case OpKind::kLoad:
      return access(id, op.operands[0], op.size, true, false, vertex);
    case OpKind::kStore:
    case OpKind::kFill:
      return access(id, op.operands[0], op.size, false, true, vertex);
    case OpKind::kUpdate:
      return access(id, op.operands[0], op.size, true, true, vertex);
    case OpKind::kCopy:
      access(id, op.operands[1], op.size, true, false, vertex);
      return access(id, op.operands[0], op.size, false, true, vertex);
    case OpKind::kCall:
      for (const ExternalModel* model : points_to_.known_externals(id)) add_external(id, op, *model, vertex);
      if (!points_to_.calls_unknown(id)) return;
      [[fallthrough]];
    case OpKind::kUnknown:
    case OpKind::kThrow:
      add_edge(outside_reads_, vertex);
      add_edge(vertex, outside_writes_);
      return;
    default:
      return;
  }
}

void MemoryDependence::access(const OpId& id, ValueId value, uint64_t size, bool reads, bool writes,
                              uint32_t vertex) {
  const Address& address = addresses_[value];
  if (address.local == kNone) return through_pointer(id.function, value, size, reads, writes, vertex);
  const bool is_exact = address.is_exact && size != 0;
  ByteRange bytes;
  if (address.is_exact)
    bytes = {address.offset, size == 0 ? kEnd : address.offset + static_cast<int64_t>(size)};
  locals_.push_back({id.block, vertex, address.local, bytes, reads, writes, is_exact});
  if (address.is_exact) bytes = canonical(address.object, address.offset, size);
  accesses_.push_back({address.object, bytes, vertex, true, reads, writes});
}

void MemoryDependence::through_pointer(FunctionIndex function, ValueId address, uint64_t size, bool reads,
                                       bool writes, uint32_t vertex) {
  for (const Pointee& pointee : points_to_.pointees(function, address)) {
    if (pointee.object == kUnknownObject) {
      if (reads) add_edge(outside_reads_, vertex);
      if (writes) add_edge(vertex, outside_writes_);
    } else if (points_to_.objects()[pointee.object].kind != MemoryObject::Kind::kFunction) {
      accesses_.push_back(
          {pointee.object, canonical(pointee.object, pointee.offset, size), vertex, false, reads, writes});
    }
  }
}

void MemoryDependence::add_external(const OpId& id, const Op& op, const ExternalModel& model,
                                    uint32_t vertex) {
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto index = static_cast<int8_t>(std::min<size_t>(i, 127));
    const bool reads = model.reads_arguments || model.copies_from == index;
    const bool writes = model.writes_arguments || model.writes_argument == index || model.copies_to == index;
    if (reads || writes) through_pointer(id.function, op.operands[i], 0, reads, writes, vertex);
  }
  if (model.writes_result && op.result != kNone)
    through_pointer(id.function, op.result, 0, false, true, vertex);
  if (model.called_later >= 0) add_edge(vertex, outside_writes_);  // on which what it calls depends
  if (model.keeps_outside >= 0) {
    add_edge(outside_reads_, vertex);
    add_edge(vertex, outside_writes_);
  }
}

ByteRange MemoryDependence::canonical(ObjectId object, int64_t offset, uint64_t size) const {
  const PointsTo::Fold fold = points_to_.fold(object);
  const int64_t end = size == 0 ? kEnd : offset + static_cast<int64_t>(size);
  if (fold.stride == 0 || end <= fold.start) return {offset, end};
  if (offset < fold.start) return {offset, kEnd};
  const int64_t first = points_to_.canonical_offset(object, offset);
  if (size == 0 || first - fold.start + static_cast<int64_t>(size) > fold.stride) return {fold.start, kEnd};
  return {first, first + static_cast<int64_t>(size)};
}

void MemoryDependence::finish() {
  std::sort(accesses_.begin(), accesses_.end(),
            [](const Access& a, const Access& b) { return a.object < b.object; });
  for (auto first = accesses_.begin(); first != accesses_.end();) {
    auto last = first;
    while (last != accesses_.end() && last->object == first->object) ++last;
    connect(first, last);
    first = last;
  }
  accesses_ = {};
}

// One object: each distinct range that is written, and each that is read, gets a helper.
void MemoryDependence::connect(std::vector<Access>::iterator first, std::vector<Access>::iterator last) {
  const bool has_escaped = points_to_.has_escaped(first->object);
  if (!has_escaped && std::all_of(first, last, [](const Access& access) { return access.by_address; }))
    return;
  using Key = std::pair<ByteRange, bool>;  // with by_address
  std::map<Key, uint32_t> written;
  std::map<Key, uint32_t> read;
  for (auto access = first; access != last; ++access) {
    if (access->writes) written[{access->bytes, access->by_address}] = kNone;
    if (access->reads) read[{access->bytes, access->by_address}] = kNone;
  }
  const bool is_merged = written.size() * read.size() > kMaxPairs;
  auto helper = [&](std::map<Key, uint32_t>& helpers, const Access& access) {
    const Key key{is_merged ? ByteRange{} : access.bytes, access.by_address};
    uint32_t& vertex = helpers.try_emplace(key, kNone).first->second;
    if (vertex == kNone) vertex = vertices_.add_helper();
    return vertex;
  };
  if (is_merged) written.clear(), read.clear();
  for (auto access = first; access != last; ++access) {
    if (access->writes) add_edge(access->vertex, helper(written, *access));
    if (access->reads) add_edge(helper(read, *access), access->vertex);
  }
  for (const auto& [to, reader] : read) {
    for (const auto& [from, writer] : written) {
      if (to.second && from.second) continue;  // reaching_definitions has said more
      if (from.first.overlaps(to.first)) add_edge(writer, reader);
    }
    if (has_escaped) add_edge(outside_writes_, reader);
  }
  for (const auto& [from, writer] : written) {
    if (has_escaped) add_edge(writer, outside_reads_);
  }
}

}  // namespace heddle::program
