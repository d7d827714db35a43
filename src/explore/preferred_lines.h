// PreferredLines: source lines around which a search shall switch threads first, such as those that a change
// impacts.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "explore/place.h"
#include "symbolize/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

class PreferredLines {
 public:
  // Files may be named by their last folders: whoever names them need not know where they were compiled.
  void add(std::string file, uint32_t line) { lines_.emplace(line, std::move(file)); }
  bool empty() const { return lines_.empty(); }
  size_t size() const { return lines_.size(); }
  bool includes(std::string_view file, uint32_t line) const;

 private:
  std::set<std::pair<uint32_t, std::string>> lines_;
};

// Which operations of traces are at these lines. Debug information is read once for each place. Not
// thread-safe.
class PreferredPlaces {
 public:
  // Both must outlive this.
  PreferredPlaces(const PreferredLines& lines, Symbolizer& symbolizer)
      : lines_(lines), symbolizer_(symbolizer) {}

  // `place` is what PlaceNames calls the event.
  bool includes(const trace::Trace& trace, const trace::EventRecord& event, uint64_t place);

 private:
  const PreferredLines& lines_;
  Symbolizer& symbolizer_;
  std::unordered_map<uint64_t, bool> known_;  // by place
};

}  // namespace heddle
