// Requirements: the interleavings of a class's calls that its tests should cover, and which of them are.
//
// A requirement is a race, a circle of locks or one of the fourteen access patterns, by its sites and the
// methods that take part. It is found when prediction says that some schedule of a test could have it,
// feasible and covered when an execution had it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "predict/prediction.h"

namespace heddle::generate {

// Where an access of a call is: the same code of different methods is told apart.
uint64_t requirement_place(uint64_t site, std::string_view method);
// Of what has to interleave at these places, in their order. Which side of a race or circle comes first does
// not matter.
uint64_t requirement_key(PredictionKind kind, uint32_t pattern, std::vector<uint64_t> places);

struct Requirement {
  uint64_t key = 0;
  std::string kind;     // "race", "deadlock", "pattern 3", "not serializable"
  std::string methods;  // "put, size"
  bool is_covered = false;
  uint32_t attempts = 0;      // executions of a test that should have had it and did not
  uint64_t predictions = 0;   // of it, in all tests
  uint64_t next_attempt = 0;  // not before so many predictions
};

class Requirements {
 public:
  // It has been predicted once more. Whether it has not been found before.
  bool add(Requirement requirement);
  bool is_covered(uint64_t key) const;
  bool is_found(uint64_t key) const { return requirements_.contains(key); }
  // Not worth another attempt now. What has not succeeded for some time is tried ever more seldom.
  bool is_settled(uint64_t key) const;
  void cover(uint64_t key);
  void miss(uint64_t key);

  struct Counts {
    uint64_t found = 0;
    uint64_t covered = 0;
    uint64_t infeasible = 0;  // tried as often as is worth it
  };
  Counts counts() const;
  std::map<std::string, Counts> by_methods() const;
  // Ascending; they mean the same in all sessions of one driver.
  std::vector<uint64_t> covered_keys() const;

 private:
  std::map<uint64_t, Requirement> requirements_;
};

}  // namespace heddle::generate
