#include "program/ordering_names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "program/plain_names.h"

namespace heddle::program {
namespace {

constexpr std::array<std::string_view, 24> kCFunctions = {
    "pthread_create",
    "pthread_join",
    "pthread_detach",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_barrier_wait",
    "pthread_once",
    "sem_wait",
    "sem_trywait",
    "sem_timedwait",
    "sem_post",
    "thrd_create",
    "thrd_join",
    "cnd_wait",
    "cnd_timedwait",
    "cnd_signal",
    "cnd_broadcast",
    "call_once",
    "pthread_cond_clockwait",
    "sem_clockwait",
    "thrd_detach",
    "futex",
};

struct Members {
  std::string_view scope;  // ends of the class's name
  std::array<std::string_view, 9> names;
};
constexpr Members kMembers[] = {
    {"std::thread", {"thread", "join", "detach"}},
    {"std::jthread", {"jthread", "~jthread", "join", "detach", "request_stop"}},
    {"condition_variable", {"wait", "wait_for", "wait_until", "notify_one", "notify_all"}},
    {"condition_variable_any", {"wait", "wait_for", "wait_until", "notify_one", "notify_all"}},
    {"counting_semaphore", {"acquire", "release", "try_acquire", "try_acquire_for", "try_acquire_until"}},
    {"std::latch", {"count_down", "wait", "arrive_and_wait", "try_wait"}},
    {"std::barrier", {"arrive", "wait", "arrive_and_wait", "arrive_and_drop"}},
    {"std::future", {"get", "wait", "wait_for", "wait_until"}},
    {"std::shared_future", {"get", "wait", "wait_for", "wait_until"}},
    {"std::promise", {"set_value", "set_exception", "set_value_at_thread_exit"}},
    {"std::packaged_task", {"operator()", "get_future"}},
    {"atomic", {"wait", "notify_one", "notify_all"}},
    {"atomic_flag", {"wait", "notify_one", "notify_all"}},
    {"std", {"async", "call_once", "notify_all_at_thread_exit", "atomic_thread_fence"}},
};

bool is_a_member(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = [] {
    std::unordered_set<std::string_view> names;
    for (const Members& members : kMembers) names.insert(members.names.begin(), members.names.end());
    names.erase("");  // they have fewer than there is room for
    return names;
  }();
  return kNames.contains(name);
}

}  // namespace

bool is_ordering_operation(const Symbol& symbol) {
  const std::string name = without_template_arguments(symbol.name);
  const size_t colons = name.rfind("::");
  if (colons == std::string::npos)
    return std::find(kCFunctions.begin(), kCFunctions.end(), name) != kCFunctions.end();
  const std::string_view scope = std::string_view(name).substr(0, colons);
  const std::string_view last = std::string_view(name).substr(colons + 2);
  if (!is_a_member(last)) return false;  // nearly always
  for (const Members& members : kMembers) {
    // Inline namespaces of the library stand between: std::_V2::condition_variable_any.
    const size_t plain = members.scope.rfind("::");
    const std::string_view of =
        plain == std::string_view::npos ? members.scope : members.scope.substr(plain + 2);
    const bool is_scope = scope == members.scope || (scope.starts_with("std::") && scope.ends_with(of) &&
                                                     scope[scope.size() - of.size() - 1] == ':');
    if (is_scope && std::find(members.names.begin(), members.names.end(), last) != members.names.end())
      return true;
  }
  return false;
}

}  // namespace heddle::program
