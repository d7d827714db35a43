// Calls: which functions an operation may lead to, as select follows them.
//
// Mostly what the call graph says. But a shared_ptr forgets which class it will destroy, and a std::function
// what it will copy or destroy: inside the library that is one call that may mean whatever the program ever
// put into one, so every copy of a shared_ptr would lead everywhere. Its type tells more: shared_ptr<T>
// destroys a T, or something derived. What a std::function keeps is copied and destroyed by whoever copies
// and destroys it; and calling it calls something with its signature.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/call_graph.h"
#include "select/shared_variable.h"

namespace heddle::select {

class Calls {
 public:
  // Both must outlive this.
  Calls(const program::Program& program, const program::CallGraph& graph);

  template <typename Visit>
  void for_each_callee(const program::OpId& id, const Visit& visit) const {
    const program::Op& op = program_.function(id.function).blocks[id.block].ops[id.op];
    const bool is_indirect = op.callee != kNone;
    const auto signature = is_indirect ? signatures_.find(id.function) : signatures_.end();
    for (const program::FunctionIndex callee : graph_.callees(id)) {
      if (is_indirect && (has_forgotten_[id.function] || is_handler_[callee])) continue;
      if (signature != signatures_.end() && !has_signature(callee, signature->second)) continue;
      visit(callee);
    }
    const auto destroyed = destroyed_by_.find(id.function);
    if (destroyed == destroyed_by_.end()) return;
    for (const program::FunctionIndex callee : destroyed->second) visit(callee);
  }

  // All that `from` leads to, themselves included.
  std::set<program::FunctionIndex> reached_from(const std::set<program::FunctionIndex>& from) const;

 private:
  void find_owners();
  bool has_signature(program::FunctionIndex callee, std::string_view signature) const;
  std::set<std::string> with_bases(const std::string& class_name) const;

  const program::Program& program_;
  const program::CallGraph& graph_;
  std::vector<bool> has_forgotten_;  // functions that call what knows a type, without knowing it themselves
  std::vector<bool> is_handler_;     // what they call
  std::map<program::FunctionIndex, std::string> signatures_;  // of what calls a std::function, mangled
  std::map<program::FunctionIndex, std::vector<program::FunctionIndex>> destroyed_by_;
  std::map<std::string, std::set<std::string>> bases_;
};

}  // namespace heddle::select
