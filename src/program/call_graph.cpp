#include "program/call_graph.h"

#include <algorithm>

#include "program/by_function.h"

namespace heddle::program {

CallGraph::CallGraph(std::vector<Site> sites, size_t functions)
    : sites_(std::move(sites)), callers_(functions) {
  std::erase_if(sites_, [](const Site& site) { return site.callees.empty(); });
  first_ = first_of_functions(sites_, functions, [](const Site& site) { return site.call.function; });
  for (const Site& site : sites_)
    for (const FunctionIndex callee : site.callees) callers_[callee].push_back(site.call);
}

const std::vector<FunctionIndex>& CallGraph::callees(const OpId& call) const {
  static const std::vector<FunctionIndex> kNobody;
  if (call.function + 1 >= first_.size()) return kNobody;
  const auto end = sites_.begin() + first_[call.function + 1];
  const auto found = std::lower_bound(sites_.begin() + first_[call.function], end, call,
                                      [](const Site& site, const OpId& id) { return site.call < id; });
  return found != end && found->call == call ? found->callees : kNobody;
}

}  // namespace heddle::program
