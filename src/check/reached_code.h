// ReachedCode: which changed statements the executions of a test have not come to.
//
// An execution shows where blocks begin and what operations there were, not single statements. So a statement
// counts as reached as soon as any other has been that is under the same condition. Where no block begins
// under a condition, because the compiler has made it part of another one, nothing shows whether it was
// reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "change/statement_map.h"

namespace heddle {

class ReachedCode {
 public:
  // Of the head. The map must outlive this.
  explicit ReachedCode(const StatementMap& map);

  // A place of the head was executed.
  void reach(const std::string& file, uint32_t line, uint32_t column);
  // A block of the head begins here, so that it shows if this place is executed.
  void can_show(const std::string& file, uint32_t line, uint32_t column);
  // Those that would have shown, in functions that were entered: what a test has nothing to do with, it need
  // not reach.
  std::vector<StatementId> unreached() const;

 private:
  // Statements that are executed together: function, condition, and which of its sides.
  using Arm = std::tuple<FunctionId, uint32_t, bool>;
  static Arm arm_of(const StatementId& id, const SourceStatement& statement) {
    return {id.function, statement.parent, statement.otherwise};
  }

  const StatementMap& map_;
  std::vector<StatementId> changed_;
  std::set<FunctionId> entered_;
  std::set<Arm> reached_;
  std::set<Arm> visible_;
};

}  // namespace heddle
