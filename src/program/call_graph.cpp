#include "program/call_graph.h"

#include <algorithm>

namespace heddle::program {

CallGraph::CallGraph(std::vector<Site> sites, size_t functions)
    : sites_(std::move(sites)), callers_(functions) {
  std::erase_if(sites_, [](const Site& site) { return site.callees.empty(); });
  for (const Site& site : sites_)
    for (const FunctionIndex callee : site.callees) callers_[callee].push_back(site.call);
}

const std::vector<FunctionIndex>& CallGraph::callees(const OpId& call) const {
  static const std::vector<FunctionIndex> kNobody;
  const auto found = std::lower_bound(sites_.begin(), sites_.end(), call,
                                      [](const Site& site, const OpId& id) { return site.call < id; });
  return found != sites_.end() && found->call == call ? found->callees : kNobody;
}

}  // namespace heddle::program
