// FastTier: heddle's side of the fuzzing loop. A slice of it runs in heddle-interact-host; what it finds
// comes as it is found.
//
// A host that is lost is replaced: the next one begins with the corpus of the last, without the input that
// was being executed. When that happens often, the program runs in processes instead.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interact/fast/host/fast_host.h"
#include "interact/fuzz/loop_messages.h"
#include "support/error.h"

namespace heddle::fuzz {

class FastTier {
 public:
  // Versions: base, head, golden ones. The settings are asked for once it is known where the counters of the
  // head are, as offsets in its executable.
  using MakeSettings = std::function<LoopSettings(const std::vector<uint64_t>& places)>;
  static Expected<FastTier> create(fast::FastOptions options, const MakeSettings& make_settings);

  // "" if all versions live in the host, else a sentence on what does not and why.
  const std::string& needs_processes() const { return needs_processes_; }
  bool lives_in_host() const { return needs_processes_.empty(); }

  struct Handlers {
    std::function<void(const FoundDifference&)> differs;
    std::function<void(const KeptForCorpus&)> keeps;
    // An input that the host was lost with: it damages more than itself.
    std::function<void(const concolic::ProgramInput&)> loses;
    std::function<bool()> is_interrupted;
  };
  // Numbers of ways and traces go on from slice to slice. Nothing: it was interrupted.
  Expected<std::optional<SliceReport>> run_slice(SliceRequest request, const Handlers& handlers);

  uint64_t lost_hosts() const { return lost_; }

 private:
  FastTier(fast::FastHost host, fast::FastOptions options)
      : host_(std::move(host)), options_(std::move(options)) {}

  Expected<std::vector<uint64_t>> ask_places();
  Expected<void> recover(const Handlers& handlers);
  void take_numbers(SliceReport* report);

  fast::FastHost host_;
  fast::FastOptions options_;
  std::string needs_processes_;
  LoopSettings settings_;
  std::vector<concolic::ProgramInput> corpus_;
  uint64_t lost_ = 0;
  size_t lost_told_ = 0;
  // Of hosts that were lost:
  uint32_t first_way_ = 0;
  uint32_t first_trace_ = 0;
  SliceReport before_;
  // Of this one:
  uint32_t last_way_ = 0;
  uint32_t traces_ = 0;
  SliceReport last_;
};

}  // namespace heddle::fuzz
