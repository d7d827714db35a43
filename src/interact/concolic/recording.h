// Recording: what an instrumented program has recorded, checked and copied out of the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interact/concolic/layout.h"
#include "interact/concolic/program_input.h"
#include "support/error.h"

namespace heddle::concolic {

// The index of a site in the table of its binary.
using SiteNumber = uint32_t;

struct SourcePlace {
  uint32_t line = 0;  // 0: not known
  uint32_t column = 0;
};

// Where in the source an event happens, and where the program goes from there.
struct Site {
  SiteKind kind = SiteKind::kBranch;
  bool in_library = false;  // in heddle's own libc functions; Event::caller is in the program
  std::string function;     // mangled
  std::string file;         // absolute
  SourcePlace place;
  SourcePlace if_taken;  // the first statement of the side where the condition holds, in the same file
  SourcePlace if_not_taken;
};

// What runtime/recording.cpp writes for kSitesVariable.
Expected<std::vector<Site>> parse_sites(const std::string& text);

struct Recording {
  bool reached_main = false;
  Stop stop = Stop::kNot;  // the path is longer than what was recorded
  uint32_t mismatches = 0;
  std::vector<Node> nodes;  // [0] is not used
  std::vector<Event> events;
  std::vector<std::vector<unsigned char>> tables;
};

// Of an arena that a program may have written over: an error says what is wrong with it.
Expected<Recording> read_recording(std::span<const unsigned char> arena, size_t site_count);

// Whether an event is a constraint on the input.
inline bool is_branch(const Event& event) {
  return event.condition != 0 && event.kind != SiteKind::kObserve;
}

// Whether `other` takes the same path as `path` up to the event, and there the other side. Marks are passed
// over.
bool takes_other_side(const Recording& path, size_t event, const Recording& other);

// The branches among the events: what a path consists of.
std::vector<size_t> branches_of(const Recording& recording);

}  // namespace heddle::concolic
