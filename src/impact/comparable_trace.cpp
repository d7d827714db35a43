#include "impact/comparable_trace.h"

#include "impact/moved_parts.h"
#include "trace/hash.h"
#include "trace/variable_key.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;
using trace::mix_key;
using trace::ObjectKind;
using trace::ObjectRecord;

ComparableTrace::ComparableTrace(const trace::Trace& trace, const VersionNames& names)
    : trace_(trace), names_(names) {
  name_contexts();
  name_threads();
  name_objects();
}

uint64_t ComparableTrace::extend(uint64_t context, uint32_t site) const {
  if (site >= names_.calls.size() || names_.calls[site].empty())
    return mix_key(context, names_.statement(site));
  for (const uint64_t call : names_.calls[site]) context = mix_key(context, call);
  return context;
}

// Parents come before their children.
void ComparableTrace::name_contexts() {
  for (const trace::ContextRecord& record : trace_.contexts()) {
    const bool is_root = contexts_.empty();
    contexts_.push_back(is_root ? 0 : extend(contexts_[record.parent], record.call_site));
  }
  if (contexts_.empty()) contexts_.push_back(0);
}

void ComparableTrace::name_threads() {
  std::unordered_map<uint64_t, uint32_t> created;
  for (const trace::ThreadRecord& record : trace_.threads()) {
    if (threads_.empty()) {
      threads_.push_back(0);
      continue;
    }
    const uint64_t place =
        mix_key(threads_[record.parent], extend(contexts_[record.create_context], record.create_site));
    threads_.push_back(mix_key(place, ++created[place]));
  }
}

void ComparableTrace::name_objects() {
  for (const ObjectRecord& record : trace_.objects()) {
    const auto kind = static_cast<uint64_t>(record.kind);
    switch (record.kind) {
      case ObjectKind::kGlobal:
        objects_.push_back(
            mix_key(kind, record.owner < trace_.modules().size()
                              ? trace::module_key(trace_.string(trace_.modules()[record.owner].path))
                              : 0));
        break;
      case ObjectKind::kStack:
      case ObjectKind::kThread:
        objects_.push_back(mix_key(kind, record.owner < threads_.size() ? threads_[record.owner] : 0));
        break;
      case ObjectKind::kHeap:
        // Until its allocation is seen. Of one that came before all events, this is all that is known.
        objects_.push_back(mix_key(
            kind, extend(record.context < contexts_.size() ? contexts_[record.context] : 0, record.site)));
        break;
      default:
        objects_.push_back(mix_key(kind, record.identity));
    }
  }
}

void ComparableTrace::see(const EventRecord& event) {
  if (event.kind != EventKind::kAlloc || event.object == 0) return;
  const uint64_t where = mix_key(thread(event.thread), place(event.context, event.site));
  objects_[event.object] = mix_key(mix_key(where, ++allocations_[where]), is_changed(event.site) ? 1 : 0);
}

uint64_t ComparableTrace::part(uint32_t object, uint64_t offset) const {
  if (moved_parts_ != nullptr && trace_.objects()[object].kind == ObjectKind::kHeap) {
    const std::optional<uint64_t> before = moved_parts_->offset_in_base(objects_[object], offset);
    // One that no statement tells of is not any of the base's.
    return before ? *before : mix_key(~uint64_t{0}, offset);
  }
  if (!names_.part) return offset;
  if (trace_.objects()[object].kind != ObjectKind::kGlobal) return names_.part(object, offset);
  const uint32_t number = globals_.number(object, offset);
  if (number == parts_of_globals_.size()) parts_of_globals_.push_back(names_.part(object, offset));
  return parts_of_globals_[number];
}

uint64_t ComparableTrace::location(uint32_t object, uint64_t offset) const {
  return mix_key(objects_[object], part(object, offset));
}

uint64_t ComparableTrace::memory(uint32_t object, uint64_t offset) const {
  const ObjectKind kind = trace_.objects()[object].kind;
  return kind == ObjectKind::kGlobal ? location(object, offset) : objects_[object];
}

}  // namespace heddle
