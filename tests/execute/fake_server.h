// Starting fake_program under fake_runtime.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execute/fork_server.h"

namespace heddle {

inline TestCommand fake_command(std::vector<std::string> arguments) {
  ::setenv("HEDDLE_RUNTIME_DIR", HEDDLE_FAKE_RUNTIME, 1);
  arguments.insert(arguments.begin(), HEDDLE_FAKE_PROGRAM);
  return {.argv = std::move(arguments)};
}

inline ForkServer start_fake(std::vector<std::string> arguments, ForkServerOptions options = {}) {
  Expected<ForkServer> server = ForkServer::start(fake_command(std::move(arguments)), std::move(options));
  if (!server) {
    ADD_FAILURE() << server.error().message;
    std::abort();
  }
  return std::move(*server);
}

inline Execution run_fake(ForkServer& server, const ExecutionRequest& request = {}) {
  Expected<Execution> execution = server.run(request);
  if (!execution) {
    ADD_FAILURE() << execution.error().message;
    return {};
  }
  return std::move(*execution);
}

}  // namespace heddle
