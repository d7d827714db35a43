// Where changes may interact: statements that depend on more than one of them, and which of these matter.
//
// Everything after the place where two changes meet depends on both, too. A location is *important* where
// changes meet first, and not where a statement merely depends on such a location:
// - it has an influence of changes from elsewhere, which is not all of its changes by way of one other
// location;
//   a group of statements that depend on each other counts as one, and its important ones are those where the
//   influence enters;
// - some influence comes to it by data. A statement that is merely executed or not because of changes is in
// no
//   other state than they are: the decision is the location, or is a change itself.
// Changes are no such locations for what depends on them: a changed statement that depends on others is in
// the graph as a change, and what comes of it is worth a look (statement 8 of the example in ALGORITHMS,
// section 7).
#pragma once

#include <vector>

#include "interact/dependences.h"

namespace heddle::interact {

struct LocationQuestion {
  const Dependences& dependences;
  std::vector<bool> is_change;  // by statement
  std::vector<bool> is_output;
  std::vector<bool> may_interact;  // of those that are neither
  bool with_unimportant = false;
};

// By statement; changes and outputs are none.
std::vector<bool> find_locations(const LocationQuestion& question);

}  // namespace heddle::interact
