// FailureStory: everything there is to say about how one execution failed.
//
// A failure is looked at once, by the teller of its kind; findings, the terminal report and the interleaving
// view then take from the story what they need. A new kind of failure is one new teller.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/report_context.h"

namespace heddle {

// Bytes of one object. Locks and the like have size 1: they are one thing, wherever it is touched.
struct LocationRange {
  uint32_t object = 0;
  uint64_t offset = 0;
  uint64_t size = 1;

  bool overlaps(const LocationRange& other) const {
    return object == other.object && offset < other.offset + other.size && other.offset < offset + size;
  }
};

// A statement and the lines that support it, shown indented.
struct Paragraph {
  std::string text;
  std::vector<std::string> lines;
};

// Where a thread stands when the execution stops, and why it does not go on.
struct ThreadEnd {
  Place place;
  std::string note;
};

struct FailureStory {
  std::string message;                // the verdict in one sentence, without the kind
  std::vector<std::string> identity;  // what the fingerprint is made of, besides the kind
  std::vector<Place> places;          // the most telling first
  std::vector<uint32_t> threads;      // that take part
  std::vector<uint32_t> bystanders;   // that need no column
  std::vector<uint32_t> causes;       // threads whose writes led there, the most direct first
  std::vector<std::string> banner;    // lines in the format of another tool, shown before anything else
  std::vector<Paragraph> details;
  std::vector<LocationRange> locations;  // whose operations led to the failure
  std::vector<uint64_t> key_events;      // numbers of events without which it cannot be understood
  std::map<uint32_t, ThreadEnd> ends;    // by thread

  bool has_thread(uint32_t thread) const {
    return std::find(threads.begin(), threads.end(), thread) != threads.end();
  }
  void add_thread(uint32_t thread) {
    if (!has_thread(thread)) threads.push_back(thread);
  }
};

// Nothing if the execution did not fail.
std::optional<FailureStory> tell_failure(ReportContext& context);

}  // namespace heddle
