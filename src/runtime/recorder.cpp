#include "runtime/recorder.h"

#include "runtime/address_space.h"
#include "runtime/descriptors.h"
#include "runtime/failure.h"
#include "runtime/index_map.h"
#include "runtime/modules.h"
#include "runtime/races.h"
#include "runtime/sleep_set.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

using trace::TableId;

HEDDLE_WORLD IndexMap sites;
HEDDLE_WORLD IndexMap contexts;

struct OwnedObjects {
  uint32_t* by_module;
  uint32_t* by_stack;
  uint32_t unknown;
};
HEDDLE_WORLD OwnedObjects owned;
HEDDLE_WORLD uint64_t lasting_strings;  // the names of modules; those of threads come after

uint32_t add_object(const trace::ObjectRecord& record) {
  const auto index = static_cast<uint32_t>(descriptor(TableId::kObjects).count);
  return append(TableId::kObjects, record) ? index : 0;
}

inline constexpr uint64_t kEarlier = uint64_t{1} << 63;  // no number of an allocation has this bit

uint32_t heap_record(HeapObject* object) {
  if (object->record == 0 || object->recorded != rt.execution) {
    // What another execution has allocated has a number and a context of that one.
    const bool ours = object->execution == rt.execution;
    object->record = add_object({object->kind, 0, site_of(object->pc), ours ? object->context : 0,
                                 object->size, ours ? object->number : kEarlier | object->key});
    object->recorded = rt.execution;
  }
  return object->record;
}

uint32_t channel_object(uintptr_t address) {
  Channel& channel = channel_at(address);
  if (channel.record == 0) {
    channel.record = add_object({.kind = trace::ObjectKind::kDescriptor,
                                 .owner = static_cast<uint32_t>(channel.first_descriptor),
                                 .site = 0,
                                 .context = 0,
                                 .size = 0,
                                 .identity = channel_number(address)});
  }
  return channel.record;
}

uint32_t object_of(const Place& place) {
  uint32_t* slot = nullptr;
  switch (place.kind) {
    case trace::ObjectKind::kGlobal:
      slot = &owned.by_module[place.owner];
      break;
    case trace::ObjectKind::kStack:
      slot = &owned.by_stack[place.owner];
      break;
    case trace::ObjectKind::kHeap:
    case trace::ObjectKind::kMapping:
      return heap_record(place.heap);
    default:
      slot = &owned.unknown;
      break;
  }
  if (*slot == 0) *slot = add_object({place.kind, place.owner, 0, 0, 0, 0});
  return *slot;
}

}  // namespace

void recorder_init() {
  owned.by_module = static_cast<uint32_t*>(own_memory(sizeof(uint32_t) << 16));
  owned.by_stack = static_cast<uint32_t*>(own_memory(sizeof(uint32_t) * kMaxFibers));
}

void recorder_prepare_execution() {
  // Index 0 of these tables means "none".
  append(TableId::kStrings, char{0});
  append(TableId::kSites, trace::SiteRecord{});
  append(TableId::kContexts, trace::ContextRecord{});
  append(TableId::kObjects, trace::ObjectRecord{});
  modules_record();
}

namespace {
constexpr bool outlasts_executions(TableId id) {
  return id == TableId::kStrings || id == TableId::kModules || id == TableId::kSites ||
         id == TableId::kContexts || id == TableId::kObjects;
}
}  // namespace

void recorder_begin_execution() {
  trace::TableRecord& objects = descriptor(TableId::kObjects);
  const auto* records = table<trace::ObjectRecord>(TableId::kObjects);
  for (uint64_t i = 1; i < objects.count; ++i) {
    if (records[i].kind == trace::ObjectKind::kGlobal) owned.by_module[records[i].owner] = 0;
    if (records[i].kind == trace::ObjectKind::kStack) owned.by_stack[records[i].owner] = 0;
  }
  owned.unknown = 0;
  for (size_t i = 0; i < trace::kTableCount; ++i) {
    if (!outlasts_executions(static_cast<TableId>(i))) rt.arena->tables[i].count = 0;
  }
  objects.count = 1;
  descriptor(TableId::kStrings).count = lasting_strings;
  rt.arena->events_dropped = 0;
}

void keep_strings() {
  lasting_strings = descriptor(TableId::kStrings).count;
}

uint32_t record_string(const char* text) {
  trace::TableRecord& strings = descriptor(TableId::kStrings);
  const size_t length = text_length(text) + 1;
  if (length == 1 || strings.count + length > strings.capacity) return 0;
  const auto offset = static_cast<uint32_t>(strings.count);
  copy_bytes(table<char>(TableId::kStrings) + offset, text, length);
  strings.count += length;
  return offset;
}

uint32_t site_of(uintptr_t pc) {
  if (pc == 0) return 0;
  uint32_t* index = sites.find(pc);
  if (*index != 0) return *index;
  const uintptr_t address = pc - 1;
  int module = module_of(address);
  if (module < 0) {
    modules_refresh();
    modules_record();
    module = module_of(address);
  }
  if (module < 0) return 0;  // code made at run time
  const trace::SiteRecord site{address - module_at(module).base, static_cast<uint32_t>(module), 0};
  const auto next = static_cast<uint32_t>(descriptor(TableId::kSites).count);
  if (!append(TableId::kSites, site)) fail_internal("the site table is full");
  return *index = next;
}

uint32_t context_of(Fiber* fiber) {
  size_t depth = fiber->depth < kMaxFrames ? fiber->depth : kMaxFrames;
  size_t known = depth;
  while (known > 0 && fiber->frames[known - 1].context == 0) --known;
  uint32_t context = known > 0 ? fiber->frames[known - 1].context : 0;
  for (size_t i = known; i < depth; ++i) {
    const uint32_t site = site_of(fiber->frames[i].pc);
    uint32_t* index = contexts.find(static_cast<uint64_t>(context) << 32 | (site + 1));
    if (*index == 0) {
      const auto next = static_cast<uint32_t>(descriptor(TableId::kContexts).count);
      if (!append(TableId::kContexts, trace::ContextRecord{context, site})) {
        // Detection asks for the context of whatever a program does; it makes do with the outer frames.
        if (detecting()) return context;
        fail_internal("the context table is full");
      }
      *index = next;
    }
    context = fiber->frames[i].context = *index;
  }
  return context;
}

namespace {
// The same wherever the module is loaded.
uint64_t stable_pc(uintptr_t pc) {
  const int module = module_of(pc);
  return module >= 0 ? module_at(static_cast<uint32_t>(module)).name_hash +
                           (pc - module_at(static_cast<uint32_t>(module)).base)
                     : pc;
}
}  // namespace

uint64_t allocation_key(uintptr_t pc) {
  Fiber* fiber = rt.current;
  if (fiber == nullptr || fiber->depth > kMaxFrames) return mix_hash(0, stable_pc(pc));
  size_t known = fiber->depth;
  while (known > 0 && fiber->frames[known - 1].hash == 0) --known;
  uint64_t path = known > 0 ? fiber->frames[known - 1].hash : 0;
  for (size_t i = known; i < fiber->depth; ++i)
    path = fiber->frames[i].hash = mix_hash(path, stable_pc(fiber->frames[i].pc));
  return mix_hash(path, stable_pc(pc));
}

Location location_of(uintptr_t address) {
  if (is_channel_address(address)) return {channel_object(address), 0};
  const Place place = place_of(address);
  return {object_of(place), place.offset};
}

namespace {
void append_event(const EventSpec& spec, const Location& location) {
  trace::TableRecord& events = descriptor(TableId::kEvents);
  uint64_t at = events.count;
  if (HEDDLE_UNLIKELY(at >= events.capacity)) {
    if ((rt.request.flags & trace::request_flag::kRingEvents) == 0) {
      rt.arena->events_dropped++;
      return;
    }
    at %= events.capacity;
  }
  trace::EventRecord& event = table<trace::EventRecord>(TableId::kEvents)[at];
  event.thread = rt.current->index;
  event.site = site_of(spec.pc);
  event.context = context_of(rt.current);
  event.object = location.object;
  event.offset = location.offset;
  event.size = spec.size_or_peer;
  event.kind = spec.kind;
  event.order = spec.order;
  event.flags = spec.flags;
  asm volatile("" ::: "memory");
  events.count++;
  if (HEDDLE_UNLIKELY(detecting())) note_race_event(event);
}
}  // namespace

void record_event_slow(const EventSpec& spec) {
  if (HEDDLE_UNLIKELY(rt.sleeper_count != 0)) wake_dependent(spec);
  append_event(spec, spec.address != 0 ? location_of(spec.address) : Location{0, 0});
}

void record_allocation(trace::EventKind kind, HeapObject* object, uintptr_t pc, uint16_t flags) {
  if (!recording()) return;
  const uint32_t size = object->size > ~0u ? ~0u : static_cast<uint32_t>(object->size);
  record_event_slow({.kind = kind, .pc = pc, .address = object->base, .size_or_peer = size, .flags = flags});
}

void record_failed_allocation(size_t size, uintptr_t pc) {
  if (!recording()) return;
  record_event_slow({.kind = trace::EventKind::kAlloc,
                     .pc = pc,
                     .size_or_peer = size > ~0u ? ~0u : static_cast<uint32_t>(size),
                     .flags = trace::event_flag::kFailed});
}

void record_atomic_set(const char* name, uintptr_t address, size_t size, uintptr_t pc) {
  if (!recording()) return;
  const Location location = location_of(address);
  const uint32_t set = add_object({.kind = trace::ObjectKind::kAtomicSet,
                                   .owner = record_string(name),
                                   .site = site_of(pc),
                                   .context = context_of(rt.current),
                                   .size = size,
                                   .identity = location.object});
  const uint32_t bytes = size > ~0u ? ~0u : static_cast<uint32_t>(size);
  append_event({.kind = trace::EventKind::kAtomicSet, .pc = pc, .size_or_peer = bytes},
               {set, location.offset});
}

namespace {

uint64_t hash_site(uint64_t hash, uint32_t index) {
  const trace::SiteRecord& site = table<trace::SiteRecord>(TableId::kSites)[index];
  return mix_hash(mix_hash(hash, site.module), site.offset);
}

uint64_t hash_event(uint64_t hash, const trace::EventRecord& event) {
  hash = mix_hash(hash, uint64_t{event.thread} << 32 | event.size);
  hash = mix_hash(
      hash, uint64_t{event.flags} << 16 | uint64_t{event.order} << 8 | static_cast<uint64_t>(event.kind));
  hash = hash_site(hash, event.site);
  for (uint32_t context = event.context; context != 0;) {
    const trace::ContextRecord& frame = table<trace::ContextRecord>(TableId::kContexts)[context];
    hash = hash_site(hash, frame.call_site);
    context = frame.parent;
  }
  const trace::ObjectRecord& object = table<trace::ObjectRecord>(TableId::kObjects)[event.object];
  hash = mix_hash(hash, static_cast<uint64_t>(object.kind) << 32 | object.owner);
  return mix_hash(mix_hash(hash, object.identity), event.offset);
}

}  // namespace

uint64_t recorded_hash() {
  const trace::TableRecord& events = descriptor(TableId::kEvents);
  uint64_t hash = events.count;
  for (uint64_t i = events.count > events.capacity ? events.count - events.capacity : 0; i < events.count;
       ++i)
    hash = hash_event(hash, table<trace::EventRecord>(TableId::kEvents)[i % events.capacity]);
  return hash;
}

void record_thread(const Fiber& fiber) {
  append(TableId::kThreads, trace::ThreadRecord{fiber.parent, fiber.ordinal, site_of(fiber.create_pc),
                                                fiber.create_context, 0, 0});
}

}  // namespace heddle::rt
