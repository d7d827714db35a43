#include "runtime/point_set.h"

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/modules.h"
#include "runtime/recorder.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

using trace::ArenaTableId;
using trace::PointKind;
using trace::PointRecord;

// An object with more shared parts than this is shared as a whole.
inline constexpr uint32_t kMaxPartsPerObject = 64;
inline constexpr uint32_t kMaxEntries = 1u << 18;
inline constexpr uint32_t kBuckets = 1u << 9;

// Entries chained by key; `next` is an index + 1.
struct Entry {
  PointRecord point;
  uint32_t next;
  bool applies;  // given by the tool; what this execution learns must not change it, or replay would differ
};
HEDDLE_WORLD Entry* entries;
HEDDLE_WORLD uint32_t* buckets;
HEDDLE_WORLD uint32_t entry_count;
HEDDLE_WORLD uint64_t loaded;  // entries of kInputPoints already applied

// A module may have very many shared globals, so they are spread by page as well; nobody asks for all of
// them.
uint32_t bucket_of(PointKind kind, uint64_t key, uint64_t offset) {
  if (kind == PointKind::kGlobal) key = mix_hash(key, offset / 4096);
  return static_cast<uint32_t>(mix_hash(key, static_cast<uint64_t>(kind)) & (kBuckets - 1));
}

uint64_t begin_of(const PointRecord& point) {
  return point.kind == PointKind::kStack ? trace::kStackTop - point.offset : point.offset;
}

bool covers(const PointRecord& a, const PointRecord& b) {
  if (a.kind != b.kind || a.key != b.key || a.grade > b.grade) return false;
  return a.length == 0 ||
         (b.length != 0 && begin_of(a) <= begin_of(b) && begin_of(b) + b.length <= begin_of(a) + a.length);
}

// False if it was known already. `parts` counts the entries with the same key and grade.
bool insert(const PointRecord& point, bool applies, uint32_t* parts) {
  uint32_t& head = buckets[bucket_of(point.kind, point.key, point.offset)];
  *parts = 0;
  for (uint32_t i = head; i != 0; i = entries[i - 1].next) {
    if (covers(entries[i - 1].point, point)) return false;
    const PointRecord& other = entries[i - 1].point;
    if (other.key == point.key && other.kind == point.kind && other.grade == point.grade) ++*parts;
  }
  if (entry_count == kMaxEntries) return false;
  entries[entry_count] = {point, head, applies};
  head = ++entry_count;
  return true;
}

template <typename Apply>
void for_each_with_key(PointKind kind, uint64_t key, Apply apply) {
  for (uint32_t i = buckets[bucket_of(kind, key, 0)]; i != 0; i = entries[i - 1].next) {
    const PointRecord& point = entries[i - 1].point;
    if (entries[i - 1].applies && point.kind == kind && point.key == key) apply(point);
  }
}

// Marks memory that exists already; heap objects and stacks to come are marked when they come.
void apply_now(const PointRecord& point) {
  switch (point.kind) {
    case PointKind::kGlobal:
      for (uint32_t i = 0; i < module_count(); ++i) {
        const Module& module = module_at(i);
        if (module.name_hash == point.key) shadow_mark(module.base + point.offset, point.length, point.grade);
      }
      break;
    case PointKind::kStack:
      for (uint32_t i = 0; i < rt.fiber_count; ++i) {
        const Fiber& fiber = *rt.fibers[i];
        if (fiber.path_hash == point.key)
          shadow_mark(fiber.stack_top - point.offset, point.length, point.grade);
      }
      break;
    case PointKind::kUnknown:
      shadow_mark(point.offset, point.length, point.grade);
      break;
    case PointKind::kHeap:
      break;
  }
}

PointRecord key_of(uintptr_t granule, trace::PointGrade grade) {
  const Place place = place_of(granule);
  switch (place.kind) {
    case trace::ObjectKind::kGlobal:
      return {module_at(place.owner).name_hash, place.offset, 8, PointKind::kGlobal, grade};
    case trace::ObjectKind::kStack:
      return {rt.fibers[place.owner]->path_hash, trace::kStackTop - place.offset, 8, PointKind::kStack,
              grade};
    case trace::ObjectKind::kHeap:
    case trace::ObjectKind::kMapping:
      return {place.heap->key, place.offset & ~uint64_t{7}, 8, PointKind::kHeap, grade};
    default:
      return {0, granule, 8, PointKind::kUnknown, grade};
  }
}

}  // namespace

void point_set_init() {
  entries = static_cast<Entry*>(own_memory(kMaxEntries * sizeof(Entry)));
  buckets = static_cast<uint32_t*>(own_memory(kBuckets * sizeof(uint32_t)));
}

void point_set_forget() {
  entry_count = 0;
  loaded = 0;
  for (uint32_t i = 0; i < kBuckets; ++i) buckets[i] = 0;
}

void point_set_apply_all() {
  for (uint32_t i = 0; i < entry_count; ++i) {
    if (entries[i].applies) apply_now(entries[i].point);
  }
  heap_for_each([](const HeapObject& object) {
    if (!object.freed) point_set_apply_to_heap(object);
  });
}

void point_set_begin_execution() {
  trace::TableRecord& learned = descriptor(ArenaTableId::kLearned);
  if (HEDDLE_LIKELY(learned.count == 0)) return;
  const auto* points = table<PointRecord>(ArenaTableId::kLearned);
  for (uint64_t i = 0; i < learned.count; ++i) append(ArenaTableId::kInputPoints, points[i]);
  learned.count = 0;
  loaded = descriptor(ArenaTableId::kInputPoints).count;
  for (uint32_t i = 0; i < entry_count; ++i) entries[i].applies = true;
  point_set_apply_all();
}

void point_set_load() {
  const trace::TableRecord& input = descriptor(ArenaTableId::kInputPoints);
  const auto* points = table<PointRecord>(ArenaTableId::kInputPoints);
  for (; loaded < input.count; ++loaded) {
    uint32_t parts;
    insert(points[loaded], true, &parts);
    apply_now(points[loaded]);
  }
}

void point_set_apply_to_heap(const HeapObject& object) {
  if (entry_count == 0) return;
  for_each_with_key(PointKind::kHeap, object.key, [&](const PointRecord& point) {
    if (point.length == 0) {
      shadow_mark(object.base, object.size, point.grade);
    } else if (point.offset < object.size) {
      shadow_mark(object.base + point.offset, point.length, point.grade);
    }
  });
}

void point_set_apply_to_stack(const Fiber& fiber) {
  if (entry_count == 0) return;
  for_each_with_key(PointKind::kStack, fiber.path_hash, [&](const PointRecord& point) {
    shadow_mark_for_now(fiber.stack_top - point.offset, point.length, point.grade);
  });
}

void learn_location(uintptr_t granule, trace::PointGrade grade) {
  if ((rt.request.flags & trace::request_flag::kLearn) == 0) return;
  PointRecord point = key_of(granule, grade);
  uint32_t parts;
  if (!insert(point, false, &parts)) return;
  if (point.kind == PointKind::kHeap && parts >= kMaxPartsPerObject) {
    point.offset = 0;
    point.length = 0;
    insert(point, false, &parts);
  }
  append(ArenaTableId::kLearned, point);
}

}  // namespace heddle::rt
