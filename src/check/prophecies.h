// What predictors say, looked into one by one: told as it is, or executed first if there is a test.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check/suspected_test.h"
#include "predict/prediction.h"
#include "report/report_context.h"

namespace heddle {

class Prophecies {
 public:
  struct Options {
    bool lists_all = false;  // also patterns that did no harm or were not reproduced
    // Before each: how many were looked into, and of how many. May be empty.
    std::function<void(size_t, size_t)> looking;
  };
  struct Counts {
    uint64_t harmful = 0;
    uint64_t benign = 0;
    uint64_t not_reproduced = 0;
    uint64_t not_tried = 0;
    uint64_t no_news = 0;  // not looked into: suppressed, or says the same of the same code as one before
  };

  // `test` is null if nothing can be executed. All must outlive this.
  Prophecies(const trace::Trace& trace, FindingListener& listener, SuspectedTest* test, Options options)
      : facts_(std::make_shared<TraceFacts>(trace, listener.symbolizer())),
        listener_(listener),
        test_(test),
        options_(std::move(options)) {}

  Expected<void> look_into(const std::vector<Prediction>& predictions);

  const Counts& counts() const { return counts_; }
  uint64_t executions() const { return executions_; }

 private:
  Expected<void> look_into(const Prediction& prediction);
  Expected<void> tell(const Prediction& prediction, const Verdict& verdict);

  const std::shared_ptr<TraceFacts> facts_;  // of the trace that was looked at
  FindingListener& listener_;
  SuspectedTest* test_;
  const Options options_;
  Counts counts_;
  uint64_t executions_ = 0;
};

}  // namespace heddle
