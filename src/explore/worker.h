// Worker: one server and one instance of the strategy, which explore as part of a session.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "execute/fork_server.h"
#include "explore/minimize.h"
#include "explore/observe_trace.h"
#include "explore/pace.h"
#include "explore/shared_session.h"
#include "explore/statement_table.h"
#include "history/source_tree.h"
#include "history/test_memory.h"
#include "symbolize/symbolizer.h"

namespace heddle {

class Worker {
 public:
  // Workers are numbered from 0. All that is given must outlive this.
  Worker(SharedSession& session, ForkServer server, uint32_t number, const TestMemory& memory,
         const SourceTree& sources);

  // Executes the test as it is, and with as many switches as possible. Whether to go on.
  bool take_first_look();
  void explore();

 private:
  // An execution that is told, and what was asked for.
  struct Shown {
    ExecutionRequest request;
    Execution execution;
  };

  Expected<std::optional<Execution>> run(ExecutionRequest request);
  bool look(trace::PolicyKind policy, uint32_t flags);
  bool check_determinism(const ExecutionRequest& request, int tries);
  bool on_divergence(const Plan& plan);
  bool visit(const ExecutionRequest& request, const Execution& execution);
  bool handle_failure(const ExecutionRequest& request, const Execution& execution);
  bool show_smallest(const std::vector<Choice>& choices, const std::string& fingerprint, Shown* shown,
                     Failure* failure);
  bool show_again(Shown* shown);
  TestMemory memory() const;

  SharedSession& session_;
  ForkServer server_;
  std::unique_ptr<Symbolizer> symbolizer_;
  std::unique_ptr<StatementTable> statements_;  // null if the strategy does not speak of statements
  std::unique_ptr<PreferredPlaces> preferred_;  // null if nothing is
  TraceObserver observer_;
  std::unique_ptr<Strategy> strategy_;
  Pace pace_;
  size_t points_taken_ = 0;  // of the session's
};

}  // namespace heddle
