#include "support/interruption.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "support/check.h"

namespace heddle {
namespace {

// Set by a signal handler, read by all threads.
std::atomic<bool> ends_jobs = false;
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<std::atomic<void (*)()>, 4> killers;

void on_termination(int signal);

void handle_termination(int signal) {
  struct sigaction action{};
  action.sa_handler = on_termination;
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  ::sigaction(signal, &action, nullptr);
}

void on_termination(int signal) {
  if (ends_jobs && !interrupted) {
    interrupted = true;
    handle_termination(signal);
    return;
  }
  const int saved = errno;
  for (const auto& kill_all : killers) {
    if (void (*function)() = kill_all) function();
  }
  errno = saved;
  // The handler was installed with SA_RESETHAND: this ends the tool as its parent expects.
  ::raise(signal);
}

void install_handlers() {
  static const bool installed = [] {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction before{};
      ::sigaction(signal, nullptr, &before);
      if (before.sa_handler == SIG_DFL) handle_termination(signal);
    }
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace

void end_jobs_on_interruption() {
  ends_jobs = true;
  install_handlers();
}

bool was_interrupted() {
  return interrupted;
}

void end_with_the_tool(void (*kill_all)()) {
  bool is_there = false;
  for (auto& killer : killers) {
    void (*known)() = nullptr;
    is_there = killer.compare_exchange_strong(known, kill_all) || known == kill_all;
    if (is_there) break;
  }
  HEDDLE_CHECK(is_there);
  install_handlers();
}

}  // namespace heddle
