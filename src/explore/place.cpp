#include "explore/place.h"

#include "trace/hash.h"
#include "trace/statement.h"

namespace heddle {

PlaceNames::PlaceNames(const trace::Trace& trace) {
  for (const trace::ModuleRecord& module : trace.modules())
    modules_.push_back(trace::module_key(trace.string(module.path)));
}

// As the runtime computes it (statement_of() there).
uint64_t PlaceNames::place_of(const trace::Trace& trace, const trace::EventRecord& event) const {
  const auto add = [&](uint64_t key, uint32_t site) {
    if (site == 0) return trace::add_to_statement(key, 0, 0);
    const trace::SiteRecord& record = trace.sites()[site];
    return trace::add_to_statement(key, modules_[record.module], record.offset);
  };
  uint64_t key = add(0, event.site);
  uint32_t context = event.context;
  for (size_t depth = 0; depth < trace::kStatementCalls && context != 0; ++depth) {
    const trace::ContextRecord& record = trace.contexts()[context];
    key = add(key, record.call_site);
    context = record.parent;
  }
  return key;
}

}  // namespace heddle
