#include <algorithm>

#include "program/points_to_impl.h"

namespace heddle::program {

PointsTo::PointsTo(const Program& program) : impl_(PointsToBuilder(program).build()) {}

const CallSite* PointsTo::Impl::find(OpId call) const {
  const auto end = calls.begin() + first_call[call.function + 1];
  const auto found = std::lower_bound(calls.begin() + first_call[call.function], end, call,
                                      [](const CallSite& site, OpId id) { return site.op < id; });
  return found != end && found->op == call ? &*found : nullptr;
}

std::vector<Pointee> PointsTo::Impl::described(const SparseBits& places) const {
  std::vector<Pointee> result;
  places.for_each(
      [&](uint32_t place) { result.push_back({graph.object_of(place), graph.offset_of(place)}); });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

const std::vector<MemoryObject>& PointsTo::objects() const {
  return impl_->objects;
}

std::vector<Pointee> PointsTo::pointees(FunctionIndex function, ValueId value) const {
  return impl_->described(impl_->graph.places_of(impl_->first_value[function] + value));
}

uint32_t PointsTo::value_set(FunctionIndex function, ValueId value) const {
  return impl_->graph.representative(impl_->first_value[function] + value);
}

uint32_t PointsTo::value_sets() const {
  return impl_->graph.node_count();
}

void PointsTo::for_each_object(uint32_t value_set, const std::function<void(ObjectId)>& visit) const {
  impl_->graph.places_of(value_set).for_each([&](uint32_t place) { visit(impl_->graph.object_of(place)); });
}

void PointsTo::for_each_held(ObjectId object, const std::function<void(uint32_t)>& visit) const {
  const ConstraintGraph& graph = impl_->graph;
  for (const uint32_t place : graph.places_in(object))
    if (graph.contents_of(place) != kNone) visit(graph.representative(graph.contents_of(place)));
}

std::vector<Pointee> PointsTo::contents(const Pointee& memory) const {
  std::vector<Pointee> result;
  const ConstraintGraph& graph = impl_->graph;
  for (uint32_t place : graph.places_in(memory.object)) {
    if (graph.contents_of(place) == kNone) continue;
    if (memory.offset != kAnyOffset &&
        graph.offset_of(place) != graph.canonical(memory.object, memory.offset)) {
      continue;
    }
    const std::vector<Pointee> more = impl_->described(graph.places_of(graph.contents_of(place)));
    result.insert(result.end(), more.begin(), more.end());
  }
  if (memory.object == kUnknownObject || graph.has_escaped(memory.object)) {
    result.push_back({kUnknownObject, 0});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool PointsTo::has_escaped(ObjectId object) const {
  return object == kUnknownObject || impl_->graph.has_escaped(object);
}

int64_t PointsTo::canonical_offset(ObjectId object, int64_t offset) const {
  return offset == kAnyOffset ? kAnyOffset : impl_->graph.canonical(object, offset);
}

PointsTo::Fold PointsTo::fold(ObjectId object) const {
  const ConstraintGraph::Fold fold = impl_->graph.fold_of(object);
  return {fold.start, fold.stride};
}

const std::shared_ptr<const CallGraph>& PointsTo::call_graph() const {
  return impl_->call_graph;
}

const std::vector<const ExternalModel*>& PointsTo::known_externals(OpId call) const {
  static const std::vector<const ExternalModel*> kNothing;
  const CallSite* site = impl_->find(call);
  return site != nullptr ? site->externals : kNothing;
}

bool PointsTo::calls_unknown(OpId call) const {
  const CallSite* site = impl_->find(call);
  return site != nullptr && site->calls_unknown;
}

const std::set<FunctionIndex>& PointsTo::thread_entries() const {
  return impl_->thread_entries;
}
const std::vector<ThreadStart>& PointsTo::thread_starts() const {
  return impl_->thread_starts;
}

bool PointsTo::is_called_from_outside(FunctionIndex function) const {
  return impl_->called_from_outside[function];
}

}  // namespace heddle::program
