#include "explore/session.h"

#include <filesystem>
#include <memory>
#include <thread>

#include "explore/shared_session.h"
#include "explore/worker.h"

namespace heddle {

Expected<SessionResult> explore_test(const TestCommand& command, const ForkServerOptions& server_options,
                                     const SessionOptions& options, SessionListener& listener) {
  SharedSession session(options, listener);
  const SourceTree sources = options.history != nullptr ? options.history->sources()
                                                        : SourceTree::around(std::filesystem::current_path());
  Build build;
  TestMemory memory;
  std::vector<std::unique_ptr<Worker>> workers;
  for (uint32_t i = 0; i < options.jobs; ++i) {
    Expected<ForkServer> server = ForkServer::start(command, server_options);
    if (!server) return tl::unexpected(server.error());
    if (i == 0 && options.history != nullptr) {
      build = identify_build(server->binary());
      Expected<TestMemory> known = options.history->load(command, build);
      if (!known) return tl::unexpected(known.error());
      memory = std::move(*known);
    }
    workers.push_back(std::make_unique<Worker>(session, std::move(*server), i, memory, sources));
  }
  if (workers[0]->take_first_look()) {
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < options.jobs; ++i) threads.emplace_back([&, i] { workers[i]->explore(); });
    workers[0]->explore();
    for (std::thread& thread : threads) thread.join();
  }
  SessionResult result = session.finish();
  if (options.history != nullptr && options.history->read_only_reason().empty()) {
    memory.merge(result.memory);
    if (const Expected<void> saved = options.history->save(command, build, memory); !saved)
      listener.on_trouble("what was learned of the test is not remembered: " + saved.error().message);
  }
  return result;
}

}  // namespace heddle
