// ComparableTrace: names for what is in a trace that mean the same in a trace of another version.
//
// Numbers of sites, threads and objects mean nothing across executions. A statement is known by where it is
// in the source of the base, which the change model says (VersionNames). From that follows the rest: a
// calling context is the statements of its calls; a thread is who created it, in which context and for the
// how-manieth time; a heap object likewise. So a thread or an allocation that only one version has takes no
// other's name, and those after it keep theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "trace/location_index.h"
#include "trace/trace.h"

namespace heddle {

// What somebody who knows the program says of the sites and the memory of one trace.
struct VersionNames {
  // By site: equal for positions of two versions that are the same statement, with the same calls inlined
  // around it. Missing ones are themselves.
  std::vector<uint64_t> statements;
  // By site: the statements of the calls that are inlined there, the outermost first, and its own. Where it
  // is missing or empty, nothing is inlined.
  std::vector<std::vector<uint64_t>> calls;
  // By site, of the head: whether the statement is new, or is not what it was.
  std::vector<bool> is_changed;
  // A name for memory that is no heap object (variables of modules and stacks) or, of a heap object, for the
  // part at this offset. Without: the offset.
  std::function<uint64_t(uint32_t object, uint64_t offset)> part;

  // Of the head: classes have other fields than in the base, so that offsets in heap objects say nothing.
  bool has_other_fields = false;

  uint64_t statement(uint32_t site) const { return site < statements.size() ? statements[site] : site; }
};

class MovedParts;

class ComparableTrace {
 public:
  // Both must outlive this.
  ComparableTrace(const trace::Trace& trace, const VersionNames& names);

  // Of the head: what its heap objects consist of in the base. It must outlive this.
  void set_moved_parts(const MovedParts* parts) { moved_parts_ = parts; }

  const trace::Trace& trace() const { return trace_; }
  bool is_changed(uint32_t site) const { return site < names_.is_changed.size() && names_.is_changed[site]; }
  // A site with all calls around it: the same whether the compiler has inlined them or not.
  uint64_t place(uint32_t context, uint32_t site) const { return extend(contexts_[context], site); }
  uint64_t thread(uint32_t thread) const { return threads_[thread]; }

  // Allocations name objects: to be told of every event, in order.
  void see(const trace::EventRecord& event);
  uint64_t object(uint32_t object) const { return objects_[object]; }
  // Of a lock, a condition variable …: the object and the part of it.
  uint64_t location(uint32_t object, uint64_t offset) const;
  // Of what an access touches: the heap object or stack as a whole, a single variable of a module.
  uint64_t memory(uint32_t object, uint64_t offset) const;

 private:
  uint64_t extend(uint64_t context, uint32_t site) const;
  void name_contexts();
  void name_threads();
  void name_objects();
  uint64_t part(uint32_t object, uint64_t offset) const;

  const trace::Trace& trace_;
  const VersionNames& names_;
  const MovedParts* moved_parts_ = nullptr;
  std::vector<uint64_t> contexts_;
  std::vector<uint64_t> threads_;
  std::vector<uint64_t> objects_;
  std::unordered_map<uint64_t, uint32_t> allocations_;  // so many at that place so far
  // What names_.part says of modules: to look into their symbols for every access takes long.
  mutable trace::LocationIndex globals_;
  mutable std::vector<uint64_t> parts_of_globals_;
};

}  // namespace heddle
