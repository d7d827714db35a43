// VersionAnalysis: what one execution of a test says about its other executions, predicted, suspected, and
// executed to see whether it is so.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "check/change_impact.h"
#include "check/lazy_confirmer.h"
#include "check/prophecies.h"
#include "check/suspects.h"
#include "detect/relevance.h"
#include "predict/predict.h"

namespace heddle {

class VersionAnalysis final : private SuspectedTest {
 public:
  struct Options {
    UnitRule units;
    // Of what detectors suspect they give one example, so that it is in focus if an event at one of its sites
    // is; a potential race only if it is itself.
    Focus focus;
    WantedKinds kinds;
    // Races are to have both accesses in focus.
    bool only_focus = false;
    // Nothing is executed after it.
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    Prophecies::Options prophecies;
    Suspects::Options suspects;
  };
  // Of a version without a server nothing is executed. Both must outlive this.
  VersionAnalysis(VersionOfTest& version, FindingListener& listener, Options options);

  // Into all that is predicted and suspected. A listener that is interested in other things can have it
  // called again, which predicts nothing anew.
  Expected<void> look();
  // The same in two parts. Nothing is detected as long as nobody looks into suspicions.
  Expected<void> look_into_predictions();
  Expected<void> look_into_suspicions();

  const PredictionResult& predicted() const { return predicted_; }
  uint64_t executions() const;
  uint64_t not_tried() const;  // for lack of time

 private:
  void predict();
  Expected<void> detect();
  bool confirms() const override { return confirmer_.has_value(); }
  bool has_time() const override;
  Expected<Confirmer*> confirmer() override { return confirmer_->get(); }
  Expected<std::optional<Confirmed>> tell_known(const std::string&, ReportContext&, FailureStory,
                                                ToldFinding) override {
    return std::nullopt;
  }
  void remember(const std::string&, const Verdict&) override {}

  VersionOfTest& version_;
  FindingListener& listener_;
  const Options options_;
  std::optional<LazyConfirmer> confirmer_;
  std::vector<bool> sites_;  // that suspicions are to be at; empty: anywhere
  std::vector<detect::Relevance> relevances_;
  PredictionResult predicted_;
  detect::Detections detected_;
  // Made when it has been predicted and detected.
  std::optional<Prophecies> prophecies_;
  std::optional<Suspects> suspects_;
};

}  // namespace heddle
