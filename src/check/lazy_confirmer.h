// LazyConfirmer: a Confirmer that is made when it is first needed, since what it compares with costs
// executions.
#pragma once

#include <cstdint>
#include <memory>

#include "confirm/confirm.h"
#include "confirm/recording.h"
#include "confirm/reference.h"
#include "execute/fork_server.h"
#include "support/error.h"

namespace heddle {

class LazyConfirmer {
 public:
  // Both must outlive this. `is_own`: the server's program has made the recording, so how that ended is no
  // harm done by anything that is executed later. `is_output_right`: nor is what it printed, if it did not
  // fail.
  LazyConfirmer(ForkServer& server, const Recording& recording, bool is_own = true,
                bool is_output_right = true)
      : server_(server), recording_(recording), is_own_(is_own), is_output_right_(is_output_right) {}

  Expected<Confirmer*> get();
  uint64_t executions() const { return reference_.executions(); }  // of the reference

 private:
  ForkServer& server_;
  const Recording& recording_;
  const bool is_own_;
  const bool is_output_right_;
  Reference reference_;
  std::unique_ptr<Confirmer> confirmer_;
};

}  // namespace heddle
