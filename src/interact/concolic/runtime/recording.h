// The recording of this process: the arena, mapped, and what may still be added to it.
//
// Only the thread that ran main records, and never a process that it forked: everything else computes
// natively, and its values count as concrete.
#pragma once

#include "interact/concolic/layout.h"

extern "C" heddle::concolic::SiteRecord __start_heddle_concolic_sites[] __attribute__((weak));
extern "C" heddle::concolic::SiteRecord __stop_heddle_concolic_sites[] __attribute__((weak));
extern "C" __thread heddle::concolic::CallFrame heddle_concolic_frame;

namespace heddle::concolic {

struct Recording {
  ArenaHeader* header = nullptr;
  Node* nodes = nullptr;
  Event* events = nullptr;
  Table* tables = nullptr;
  unsigned char* table_bytes = nullptr;
};
extern Recording recording;

// Whether the calling thread is the one that records, and there is room left.
extern __thread bool is_recording;

// The recording ends here; the program goes on.
void stop_recording(Stop why);

inline uint32_t site_number(const SiteRecord* site) {
  return static_cast<uint32_t>(site - __start_heddle_concolic_sites);
}

void record_event(const SiteRecord* site, SiteKind kind, uint32_t condition, bool taken, uint64_t value);

// A branch that depends on input if `condition` is an expression that is not constant.
void record_branch(const SiteRecord* site, uint32_t condition);

}  // namespace heddle::concolic
