// Dependences: on which changes statements depend, and how directly.
#pragma once

#include <vector>

#include "interact/flow.h"

namespace heddle::interact {

struct DirectDependence {
  StatementIndex on = kNone;
  bool is_data = true;  // else it only decides whether the statement is executed
};

// By statement.
struct Dependences {
  std::vector<std::vector<StatementIndex>> changes;  // in its backward slice; sorted
  // Needed of statements that depend on several changes.
  std::vector<std::vector<DirectDependence>> direct;
};

}  // namespace heddle::interact
