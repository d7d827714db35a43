// heddle-interact-host: several versions of a program live in this process (interact/fast/fast_runner.h).
// heddle starts it and talks to it over a socket; it can be lost at any time.
#include <sys/resource.h>

#include <utility>

#include "interact/fast/host/host_files.h"
#include "interact/fast/host/service.h"

int main() {
  using namespace heddle::fast;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::optional<InFlight> in_flight = InFlight::open(heddle::UniqueFd(kHostInFlight));
  if (!in_flight) return 2;
  return HostService(HostLink(heddle::UniqueFd(kHostSocket)), std::move(*in_flight)).serve();
}
