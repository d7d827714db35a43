#include "explore/place.h"

#include "trace/hash.h"
#include "trace/statement.h"

namespace heddle {

PlaceNames::PlaceNames(const trace::Trace& trace) {
  for (const trace::ModuleRecord& module : trace.modules())
    modules_.push_back(trace::module_key(trace.string(module.path)));
}

uint64_t PlaceNames::add(const trace::Trace& trace, uint64_t key, uint32_t site) const {
  if (site == 0) return trace::add_to_statement(key, 0, 0);
  const trace::SiteRecord& record = trace.sites()[site];
  return trace::add_to_statement(key, modules_[record.module], record.offset);
}

uint64_t PlaceNames::site_of(const trace::Trace& trace, uint32_t site) const {
  return add(trace, 0, site);
}

// As the runtime computes it (statement_of() there).
uint64_t PlaceNames::place_of(const trace::Trace& trace, const trace::EventRecord& event) const {
  uint64_t key = site_of(trace, event.site);
  uint32_t context = event.context;
  for (size_t depth = 0; depth < trace::kStatementCalls && context != 0; ++depth) {
    const trace::ContextRecord& record = trace.contexts()[context];
    key = add(trace, key, record.call_site);
    context = record.parent;
  }
  return key;
}

}  // namespace heddle
