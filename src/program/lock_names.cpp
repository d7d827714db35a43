#include "program/lock_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace heddle::program {
namespace {

std::string readable(const Symbol& symbol) {
  if (symbol.linkage_name.starts_with("_Z")) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.linkage_name.c_str(), nullptr, nullptr, &status), &std::free);
    if (status == 0 && text != nullptr) return text.get();
  }
  return symbol.name.empty() ? symbol.linkage_name : symbol.name;
}

// "void a::B<int>::f<x>(int) const" → "a::B::f".
std::string without_arguments(std::string_view text) {
  std::string result;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("(anonymous namespace)")) {
      result += "{}";
      i += std::string_view("(anonymous namespace)").size() - 1;
    } else if (text[i] == '<') {
      ++depth;
    } else if (text[i] == '>') {
      --depth;
    } else if (depth == 0 && text[i] == '(') {
      break;
    } else if (depth == 0 && text[i] == ' ') {
      result.clear();  // that was the type of the result
    } else if (depth == 0) {
      result += text[i];
    }
  }
  return result;
}

LockOperation by_method(std::string_view method) {
  using Kind = LockOperation::Kind;
  if (method == "lock") return {.kind = Kind::kLock};
  if (method == "unlock") return {.kind = Kind::kUnlock};
  if (method == "lock_shared") return {.kind = Kind::kLock, .is_shared = true};
  if (method == "unlock_shared") return {.kind = Kind::kUnlock, .is_shared = true};
  if (method.starts_with("try_lock_shared"))
    return {.kind = Kind::kLock, .is_shared = true, .is_attempt = true};
  if (method == "try_lock" || method == "try_lock_for" || method == "try_lock_until") {
    return {.kind = Kind::kLock, .is_attempt = true};
  }
  return {};
}

// std::mutex, SpinLock, RWMutex…
bool is_named_as_lock(std::string_view klass) {
  for (const std::string_view word : {"mutex", "Mutex", "lock", "Lock"}) {
    if (klass.find(word) != std::string_view::npos) return true;
  }
  return false;
}

LockOperation of_c(std::string_view name) {
  using Kind = LockOperation::Kind;
  const bool is_lock_function = name.starts_with("pthread_mutex_") || name.starts_with("pthread_rwlock_") ||
                                name.starts_with("pthread_spin_") || name.starts_with("mtx_");
  if (!is_lock_function) return {};
  if (name.ends_with("unlock")) return {.kind = Kind::kUnlock};
  if (!name.ends_with("lock")) return {};  // init, destroy
  const bool is_shared = name.ends_with("rdlock");
  const std::string_view verb = name.substr(name.rfind('_') + 1);
  const bool is_attempt = verb.starts_with("try") || verb.starts_with("timed") || verb.starts_with("clock");
  return {.kind = Kind::kLock, .is_shared = is_shared, .is_attempt = is_attempt};
}

}  // namespace

LockOperation lock_operation(const Symbol& symbol) {
  using Kind = LockOperation::Kind;
  // All of them have it in their name, and to make a name readable takes long.
  const auto is_about_locks = [](const std::string& name) { return name.find("lock") != std::string::npos; };
  if (!is_about_locks(symbol.linkage_name) && !is_about_locks(symbol.name)) return {};
  const std::string text = readable(symbol);
  const std::string name = without_arguments(text);
  const size_t colons = name.rfind("::");
  if (colons == std::string::npos) return of_c(name);
  const std::string method = name.substr(colons + 2);
  const std::string scope = name.substr(0, colons);
  if (scope == "std") {  // the functions of <mutex>
    if (method == "lock") return {.kind = Kind::kLock, .all_arguments = true};
    if (method == "try_lock") return {.kind = Kind::kLock, .is_attempt = true, .all_arguments = true};
    return {};
  }
  const size_t before = scope.rfind("::");
  const std::string klass = before == std::string::npos ? scope : scope.substr(before + 2);
  const bool is_guard =
      klass == "lock_guard" || klass == "scoped_lock" || klass == "unique_lock" || klass == "shared_lock";
  if (!is_guard) {
    LockOperation operation = by_method(method);
    if (operation.kind != Kind::kOther && !is_named_as_lock(klass)) operation.of_class = scope;
    return operation;
  }
  const bool is_shared = klass == "shared_lock";
  if (method == klass) {
    LockOperation guard{.kind = Kind::kGuard, .is_shared = is_shared};
    guard.is_deferred = text.find("defer_lock_t") != std::string::npos;
    guard.is_taken_over =
        text.find("adopt_lock_t") != std::string::npos || text.find("&&") != std::string::npos;
    guard.is_attempt =
        text.find("try_to_lock_t") != std::string::npos || text.find("chrono::") != std::string::npos;
    return guard;
  }
  if (method == "unlock" || method == "~" + klass) {
    return {.kind = Kind::kGuardUnlock, .is_shared = is_shared};
  }
  LockOperation guard = by_method(method);
  if (guard.kind != Kind::kLock) return {};
  guard.kind = Kind::kGuardLock;
  guard.is_shared = is_shared;
  return guard;
}

}  // namespace heddle::program
