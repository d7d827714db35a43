// Small flows with dependences at random: loops, calls, recursion, exceptions, statements of two points.
#pragma once

#include <random>
#include <vector>

#include "interact/change_graph.h"

namespace heddle::interact {

struct RandomGraph {
  Flow flow;
  std::vector<StatementIndex> changes;
  Dependences dependences;
};

RandomGraph random_graph(std::mt19937& random, bool with_exceptions);

}  // namespace heddle::interact
