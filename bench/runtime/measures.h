// The measures of the table. Each runs native, libtsan and heddle in turn, so that they share the machine's
// state, and adds its rows.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "common/table.h"
#include "support/error.h"

namespace heddle::bench {

struct MeasureOptions {
  std::string subjects;    // folder of the subjects' binaries
  std::string clang_tsan;  // folder of clang's shared libtsan
  std::string heddle;      // the tool itself
  std::string runtime;     // folder of its runtime
  int rounds = 3;          // the median counts
  bool quick = false;      // a hundredth of the work: to test the benchmark, not to measure
};

class Measures {
 public:
  Measures(MeasureOptions options, Table& table) : options_(std::move(options)), table_(table) {}

  Expected<void> context_switches();
  Expected<void> executions();
  Expected<void> executions_in_process();
  Expected<void> workload_size();
  Expected<void> slow_down(const std::string& build);  // such as "gcc.O1"
  Expected<void> recording();

  bool all_bars_met() const { return all_bars_met_; }

 private:
  std::string subject(const std::string& name) const { return options_.subjects + "/" + name; }
  int scaled(int count) const { return options_.quick ? std::max(count / 100, 2) : count; }
  // Instrumented accesses of the compression workload, by the counting build.
  Expected<double> count_accesses(int kilobytes) const;
  std::string judge(const std::string& bar, bool met);

  MeasureOptions options_;
  Table& table_;
  bool all_bars_met_ = true;
};

}  // namespace heddle::bench
