// Judge: whether what an execution did is wrong.
#pragma once

#include <optional>
#include <string>

#include "execute/execution.h"

namespace heddle {

class Judge {
 public:
  virtual ~Judge() = default;
  // "it failed: …", "it printed …"; nothing if the execution, which was the server's last one, is all right.
  virtual std::optional<std::string> objection(const Execution& execution) const = 0;
};

}  // namespace heddle
