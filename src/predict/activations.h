// Activations: one call of a function, found again in the calling contexts of a trace.
//
// A context says through which call sites an operation was reached, not in which of the calls made there. Two
// consecutive operations of a thread have certainly left every function that is not on both their paths. A
// function that is on both may have been left and called again; that is assumed when it comes back to the
// first thing it was seen to do (an operation, or a call in which there was one) while it holds none of the
// locks it has taken. So a loop that begins with a function's first operation counts as calls, too.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace heddle {

// One of the functions that a code position is in: the function itself, then those inlined there, one in the
// other.
struct FrameAtSite {
  uint64_t id = 0;  // equal for positions in the same inlined call; that of the function itself is not used
  bool is_system = false;  // of the language or of a library: what it does is done by its caller
};

// Whoever knows symbols implements this; the default knows of no inlined calls.
class SourceFrames {
 public:
  virtual ~SourceFrames() = default;
  virtual std::vector<FrameAtSite> frames_at(uint32_t /*site*/) const { return {FrameAtSite{}}; }
};

// The calling contexts of a trace with inlined calls in them, and without those of libraries. Frame 0 is
// that from which every thread starts.
class FrameTree {
 public:
  // Deeper calls count as part of the one at this depth: there are such in endless recursions only.
  static constexpr uint32_t kDeepest = 4096;

  FrameTree(const trace::Trace& trace, const SourceFrames& source);

  // The innermost frame that counts of an operation at this site.
  uint32_t frame_at(uint32_t context, uint32_t site);
  uint32_t parent(uint32_t frame) const { return frames_[frame].parent; }
  uint32_t depth(uint32_t frame) const { return frames_[frame].depth; }

 private:
  struct Frame {
    uint32_t parent = 0;
    uint32_t depth = 0;
  };
  struct Cached {
    uint32_t context = 0;
    uint32_t frame = 0;
    bool is_valid = false;
  };
  const std::vector<FrameAtSite>& frames_of_site(uint32_t site);
  uint32_t compute(uint32_t context, uint32_t site, uint32_t caller);
  uint32_t child(uint32_t parent, bool is_inlined, uint64_t id);

  const trace::Trace& trace_;
  const SourceFrames& source_;
  std::vector<Frame> frames_{Frame{}};
  std::map<std::pair<std::pair<uint32_t, bool>, uint64_t>, uint32_t> children_;
  std::unordered_map<uint32_t, std::vector<FrameAtSite>> at_site_;
  std::unordered_map<uint64_t, uint32_t> known_;  // context and site → frame
  std::vector<Cached> last_;                      // by site: the answer for the context asked last
};

class Activations {
 public:
  Activations(const trace::Trace& trace, const SourceFrames& source);

  // The next event of its thread; `locks_held` by it before. Returns the activation that the event is in.
  uint32_t next(const trace::EventRecord& event, uint32_t locks_held);

  // The activation that called this one; that of a thread as a whole is its own caller.
  uint32_t caller(uint32_t activation) const { return callers_[activation]; }
  size_t size() const { return callers_.size(); }

 private:
  struct Entry {
    uint32_t frame = 0;
    uint32_t activation = 0;
    uint32_t locks_held = 0;    // when it began
    uint64_t first_action = 0;  // a site, or kCall | the frame that was called
  };
  static constexpr uint64_t kCall = uint64_t{1} << 32;

  uint32_t begin(uint32_t caller);
  void path_to(uint32_t frame);
  void repeat(std::vector<Entry>& stack, uint64_t action, uint32_t locks_held);

  FrameTree frames_;
  std::vector<uint32_t> callers_;
  std::vector<std::vector<Entry>> stacks_;  // by thread: entry i is at depth i
  std::vector<uint32_t> path_;              // frames from the root to that of the event
};

}  // namespace heddle
