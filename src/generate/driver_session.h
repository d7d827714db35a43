// DriverSession: a running driver that carries out plans, alone or under a schedule.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "execute/fork_server.h"
#include "generate/call_plan.h"
#include "generate/driver_protocol.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle::generate {

class DriverSession : public CallRunner, private CallLocator {
 public:
  struct Options {
    std::filesystem::path program;
    std::filesystem::path plan_file;           // is made
    uint64_t max_steps = 20'000;               // a few calls that take longer go in circles
    std::chrono::milliseconds timeout{1'000};  // of the wall clock
  };
  // The symbolizer must outlive this.
  static Expected<std::unique_ptr<DriverSession>> start(const Options& options, Symbolizer& symbolizer);
  ~DriverSession() override;

  using CallRunner::run_alone;
  Expected<CallRun> run_alone(const CallPlan& plan, bool observes, uint64_t schedule) override;

  // From now on the server executes this plan.
  void set_plan(const CallPlan& plan, bool wants_state = false);
  // What an execution of it, the server's last one, has done.
  CallRun read(const Execution& execution) const;

  // The operation that an event is part of, and what its place is called in every operation that has the same
  // code.
  struct EventPlace {
    std::optional<OperationId> operation;
    uint64_t site = 0;
  };
  EventPlace place_of(const trace::Trace& trace, const trace::EventRecord& event);

  ForkServer& server() { return *server_; }
  const Options& options() const { return options_; }
  uint64_t executions() const { return executions_; }

 private:
  DriverSession(Options options, Symbolizer& symbolizer);

  Expected<void> map_plan_file();
  bool is_operation(const trace::Trace& trace, uint32_t site) override;
  SiteKeys keys(const trace::Trace& trace, uint32_t site) override;
  ObjectPart part_of_object(const trace::Trace& trace, const trace::EventRecord& event) override;
  bool is_variable(const trace::Trace& trace, const trace::EventRecord& event) override;
  int64_t marked_call(const trace::Trace& trace, const trace::EventRecord& event) override;

  const Options options_;
  const std::string folder_;  // of the driver and its sources
  Symbolizer& symbolizer_;
  PlanFile* file_ = nullptr;  // shared with the driver
  std::optional<ForkServer> server_;
  CallPlan plan_;
  // By module and offset: the driver is loaded once, so these are the same in each of its executions.
  struct KnownSite {
    bool is_operation = false;
    std::optional<OperationId> operation;
    SiteKeys keys;
    bool is_in_system = false;  // it is in a system library, which is not instrumented
  };
  const KnownSite& known_site(const trace::Trace& trace, uint32_t site);
  struct KnownGlobal {
    int64_t mark = -1;  // the call whose beginning a write to it marks
    ObjectPart part;
    bool is_variable = false;
  };
  const KnownGlobal* known_global(const trace::Trace& trace, const trace::EventRecord& event);
  std::unordered_map<uint64_t, KnownSite> sites_;
  std::unordered_map<uint64_t, KnownGlobal> globals_;
  uint64_t executions_ = 0;
};

}  // namespace heddle::generate
