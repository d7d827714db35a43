// FuzzService: the fuzzing loop on the versions that live in this process, and its words to heddle.
#pragma once

#include "interact/fast/fast_runner.h"
#include "interact/fast/host/frame.h"
#include "interact/fast/host/in_flight.h"
#include "interact/fuzz/fuzz_loop.h"

namespace heddle::fast {

class FuzzService : private fuzz::Executor, private fuzz::LoopListener {
 public:
  // All but the settings must outlive it.
  FuzzService(fuzz::LoopSettings settings, FastRunner& runner, const HostLink& link, InFlight& in_flight);

  // Answers with what is found on the way, then with the report.
  Expected<void> run_slice(fuzz::SliceRequest request);

 private:
  Expected<fuzz::Execution> run(const concolic::ProgramInput& input, size_t versions,
                                bool wants_compares) override;
  size_t base_edges() const override { return edges_of(kBaseVersion); }
  size_t head_edges() const override { return edges_of(kHeadVersion); }
  void differs(const fuzz::FoundDifference& found) override;
  void keeps(const fuzz::KeptForCorpus& kept) override;
  size_t edges_of(size_t version) const;

  const fuzz::LoopSettings settings_;
  FastRunner& runner_;
  const HostLink& link_;
  InFlight& in_flight_;
  fuzz::FuzzLoop loop_;
};

}  // namespace heddle::fast
