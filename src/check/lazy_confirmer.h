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
  // harm done by anything that is executed later.
  LazyConfirmer(ForkServer& server, const Recording& recording, bool is_own = true)
      : server_(server), recording_(recording), is_own_(is_own) {}

  Expected<Confirmer*> get();
  uint64_t executions() const { return reference_.executions(); }  // of the reference

 private:
  ForkServer& server_;
  const Recording& recording_;
  const bool is_own_;
  Reference reference_;
  std::unique_ptr<Confirmer> confirmer_;
};

}  // namespace heddle
