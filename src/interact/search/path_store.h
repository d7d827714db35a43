// PathStore: the paths that states are on. A recording takes a megabyte and more: of paths that were not used
// lately, only the input is kept, and executed again when it is needed.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interact/concolic/concolic_run.h"
#include "interact/concolic/solver/path_solver.h"
#include "support/error.h"

namespace heddle::interact {

class PathStore {
 public:
  // The runner must outlive it. `most_bytes`: of recordings that are kept, roughly.
  PathStore(concolic::ConcolicRunner& runner, uint64_t most_bytes) : runner_(runner), most_(most_bytes) {}

  using Path = std::shared_ptr<const concolic::PathIndex>;
  uint32_t add(concolic::ProgramInput input, Path path);
  const concolic::ProgramInput& input(uint32_t path) const { return inputs_[path]; }
  // Another path than before, if the program does not repeat it; null, if nothing was recorded this time.
  Expected<Path> path(uint32_t path);

  uint64_t repetitions() const { return repetitions_; }

 private:
  struct Kept {
    Path path;
    uint64_t bytes;
    std::list<uint32_t>::iterator use;
  };
  void keep(uint32_t number, Path path);

  concolic::ConcolicRunner& runner_;
  const uint64_t most_;
  uint64_t bytes_ = 0;
  uint64_t repetitions_ = 0;
  std::vector<concolic::ProgramInput> inputs_;
  std::unordered_map<uint32_t, Kept> kept_;
  std::list<uint32_t> uses_;  // the latest first
};

}  // namespace heddle::interact
