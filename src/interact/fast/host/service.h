// HostService: what heddle-interact-host does for heddle. What it is asked for comes as frames, one after the
// other.
#pragma once

#include <optional>

#include "interact/fast/fast_runner.h"
#include "interact/fast/host/frame.h"
#include "interact/fast/host/fuzz_service.h"
#include "interact/fast/host/in_flight.h"

namespace heddle::fast {

class HostService {
 public:
  HostService(HostLink link, InFlight in_flight) : link_(std::move(link)), in_flight_(std::move(in_flight)) {}

  // Until nobody is at the other end; returns the exit code.
  int serve();

 private:
  // False: it is over.
  bool answer(const Frame& frame);
  bool configure(const Frame& frame);
  bool run(const Frame& frame);
  bool tell_places() const;
  bool begin_loop(const Frame& frame);
  bool run_slice(const Frame& frame);
  bool fail(const std::string& why) const;

  HostLink link_;
  InFlight in_flight_;
  std::optional<FastRunner> runner_;
  std::optional<FuzzService> fuzzing_;
};

}  // namespace heddle::fast
