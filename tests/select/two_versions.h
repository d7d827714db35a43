// Two versions of a small program, compiled, analysed and compared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "select/impact.h"

namespace heddle::select {

using Sources = std::map<std::string, std::string>;  // path → text; .cpp files are units

class TwoVersions {
 public:
  TwoVersions(const Sources& before, const Sources& after);

  const ChangedProgram& changed() const { return changed_; }
  // One line for each shared variable of the file: "read HM::table 4 <- 3 function:1", with its line, the
  // line of its old block (or "-") and the rule that it is impacted by (or nothing).
  std::vector<std::string> variables(const std::string& file) const;

 private:
  ChangedProgram changed_;
};

}  // namespace heddle::select
