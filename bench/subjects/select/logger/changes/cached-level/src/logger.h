// Loggers form a tree by their names: "net.http" is below "net", which is below the root. A logger without a
// level of its own has that of the nearest one above it, and a message goes to the handlers of its logger and
// of those above.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "handler.h"
#include "level.h"

namespace logging {

class LoggerRegistry;

class Logger {
 public:
  const std::string& name() const { return name_; }
  const Logger* parent() const { return parent_; }

  // The level of its own, if it has one, and the one that counts.
  std::optional<Level> level() const;
  void set_level(std::optional<Level> level);
  Level effective_level() const { return effective_; }
  bool is_enabled(Level level) const { return passes(level, effective_level()); }

  void add_handler(std::shared_ptr<Handler> handler);
  bool remove_handler(const std::shared_ptr<Handler>& handler);
  std::size_t handler_count() const;

  // Whether messages also go to the handlers of the loggers above; so it is at first.
  void set_additive(bool additive);

  void log(Level level, const std::string& message);
  void trace(const std::string& message) { log(Level::kTrace, message); }
  void debug(const std::string& message) { log(Level::kDebug, message); }
  void info(const std::string& message) { log(Level::kInfo, message); }
  void warning(const std::string& message) { log(Level::kWarning, message); }
  void error(const std::string& message) { log(Level::kError, message); }

 private:
  friend class LoggerRegistry;

  Logger(LoggerRegistry& registry, std::string name, Logger* parent)
      : registry_(registry), name_(std::move(name)), parent_(parent) {}

  // Finds the level that counts anew. Expects the caller to hold the lock of the registry.
  void update_effective_level();

  LoggerRegistry& registry_;
  const std::string name_;
  Logger* const parent_;

  // Guarded by the lock of the registry.
  std::optional<Level> level_;

  // The level that counts: every call asks for it, so it is not looked for each time.
  Level effective_ = Level::kInfo;
  bool additive_ = true;
  std::vector<std::shared_ptr<Handler>> handlers_;
};

// All loggers of a program, or of a test. One lock guards the settings of all of them: they change seldom.
class LoggerRegistry {
 public:
  explicit LoggerRegistry(Level root_level = Level::kInfo);
  LoggerRegistry(const LoggerRegistry&) = delete;
  LoggerRegistry& operator=(const LoggerRegistry&) = delete;

  Logger& root() { return *root_; }

  // The logger with this name, which is made if there is none, with those above it. It lives as long as the
  // registry. Throws std::invalid_argument for a name with an empty part, as "a..b".
  Logger& get(const std::string& name);

  std::size_t size() const;
  std::vector<std::string> names() const;

  // Sets levels by lines such as "net.http = debug"; empty lines and those that begin with # do not count.
  // Either all lines are applied or, with std::invalid_argument, none.
  void configure(const std::string& text);

  // Flushes every handler of every logger.
  void flush();

  // How many messages passed the level of their logger.
  std::uint64_t messages() const { return sequence_.load(); }

 private:
  friend class Logger;

  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<Logger>> loggers_;
  Logger* root_ = nullptr;
  std::atomic<std::uint64_t> sequence_{0};
};

}  // namespace logging
