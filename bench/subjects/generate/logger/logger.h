// Logger: publishes messages to its handlers and to those of the loggers above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace logging {

enum class Level { kDebug, kInfo, kWarning, kError, kOff };

// Thread-safe, and so is the hierarchy that loggers make up. A logger must outlive the calls of those below.
class Logger {
 public:
  explicit Logger(std::string name, Level level = Level::kInfo);
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;
  ~Logger();  // those below have no parent then

  const std::string& name() const { return name_; }

  Level level() const;
  // Of this one and of all below it.
  void set_level(Level level);

  // Nullptr for none. Throws if the parent is below this logger.
  void set_parent(Logger* parent);
  std::optional<std::string> parent_name() const;
  size_t child_count() const;

  // Whether messages also go to the parent; so it is in the beginning.
  void set_additive(bool additive);

  // By this number it can be removed.
  int add_handler(std::function<void(const std::string&)> handler);
  bool remove_handler(int number);
  size_t handler_count() const;

  // How many handlers got the message; none if the level is too low.
  size_t log(Level level, const std::string& message);
  // Messages that this logger has published, whichever logger they came from.
  uint64_t published() const;

 private:
  // Both need the logger's own lock.
  size_t publish(const std::string& message);
  void take_level(Level level);

  const std::string name_;
  mutable std::mutex mutex_;
  Level level_;
  bool additive_ = true;
  Logger* parent_ = nullptr;       // changed under hierarchy_ too
  std::vector<Logger*> children_;  // in the order in which they came
  std::map<int, std::function<void(const std::string&)>> handlers_;
  int last_number_ = 0;
  uint64_t published_ = 0;

  static std::mutex hierarchy_;  // one change of the hierarchy at a time
};

}  // namespace logging
