// Which statements use what begins with another value than before: a variable, or a field by its default
// initialiser. Their text is the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/statement_map.h"
#include "program/program.h"

namespace heddle::select {

class InitialValues {
 public:
  // Both must outlive this.
  InitialValues(const program::Program& head, const StatementMap& change);

  // With the name of what they use.
  const std::map<program::NodeId, std::string>& users() const { return users_; }

 private:
  void find_users(program::FunctionIndex f);
  // The variable whose address it computes; empty, if it is not one of `begin_anew_`.
  std::string address_by(const program::Unit& unit, const program::Op& op) const;

  const program::Program& head_;
  std::vector<std::string> begin_anew_;  // "Cache::limit_"
  std::map<program::NodeId, std::string> users_;
};

}  // namespace heddle::select
