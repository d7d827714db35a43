#include "logger.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace logging {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

void check_name(const std::string& name) {
  if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string::npos) {
    throw std::invalid_argument("the name of a logger has an empty part: " + name);
  }
}

}  // namespace

std::optional<Level> Logger::level() const {
  const std::shared_lock lock(registry_.mutex_);
  return level_;
}

void Logger::set_level(std::optional<Level> level) {
  if (parent_ == nullptr && !level) throw std::invalid_argument("the root logger needs a level");
  const std::unique_lock lock(registry_.mutex_);
  level_ = level;
  // Loggers come after those above them in the order of their names.
  for (const auto& [name, logger] : registry_.loggers_) logger->update_effective_level();
}

void Logger::update_effective_level() {
  effective_ = level_ ? *level_ : parent_->effective_;
}

void Logger::add_handler(std::shared_ptr<Handler> handler) {
  const std::unique_lock lock(registry_.mutex_);
  handlers_.push_back(std::move(handler));
}

bool Logger::remove_handler(const std::shared_ptr<Handler>& handler) {
  const std::unique_lock lock(registry_.mutex_);
  const auto found = std::find(handlers_.begin(), handlers_.end(), handler);
  if (found == handlers_.end()) return false;
  handlers_.erase(found);
  return true;
}

std::size_t Logger::handler_count() const {
  const std::shared_lock lock(registry_.mutex_);
  return handlers_.size();
}

void Logger::set_additive(bool additive) {
  const std::unique_lock lock(registry_.mutex_);
  additive_ = additive;
}

void Logger::log(Level level, const std::string& message) {
  if (!is_enabled(level)) return;
  std::vector<std::shared_ptr<Handler>> receivers;
  {
    const std::shared_lock lock(registry_.mutex_);
    for (const Logger* logger = this; logger != nullptr; logger = logger->parent_) {
      receivers.insert(receivers.end(), logger->handlers_.begin(), logger->handlers_.end());
      if (!logger->additive_) break;
    }
  }
  // Handlers may be slow, and may log themselves: they run without the lock.
  const Record record{level, name_, message, registry_.sequence_.fetch_add(1) + 1};
  for (const auto& receiver : receivers) receiver->handle(record);
}

LoggerRegistry::LoggerRegistry(Level root_level) {
  auto root = std::unique_ptr<Logger>(new Logger(*this, "", nullptr));
  root->level_ = root_level;
  root->update_effective_level();
  root_ = root.get();
  loggers_.emplace("", std::move(root));
}

Logger& LoggerRegistry::get(const std::string& name) {
  if (name.empty()) return *root_;
  check_name(name);
  {
    const std::shared_lock lock(mutex_);
    const auto found = loggers_.find(name);
    if (found != loggers_.end()) return *found->second;
  }
  const std::unique_lock lock(mutex_);
  Logger* logger = root_;
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('.', end + 1);
    auto& place = loggers_[name.substr(0, end)];
    if (!place) {
      place.reset(new Logger(*this, name.substr(0, end), logger));
      place->update_effective_level();
    }
    logger = place.get();
  }
  return *logger;
}

std::size_t LoggerRegistry::size() const {
  const std::shared_lock lock(mutex_);
  return loggers_.size();
}

std::vector<std::string> LoggerRegistry::names() const {
  std::vector<std::string> result;
  const std::shared_lock lock(mutex_);
  for (const auto& [name, logger] : loggers_) result.push_back(name);
  return result;
}

void LoggerRegistry::configure(const std::string& text) {
  std::vector<std::pair<std::string, Level>> settings;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("a setting has no '=': " + line);
    const std::string name = trimmed(line.substr(0, equals));
    const auto level = parse_level(trimmed(line.substr(equals + 1)));
    if (!level) throw std::invalid_argument("a setting has no level: " + line);
    if (name.empty()) throw std::invalid_argument("a setting has no logger: " + line);
    check_name(name);
    settings.emplace_back(name == "root" ? "" : name, *level);
  }
  for (const auto& [name, level] : settings) get(name).set_level(level);
}

void LoggerRegistry::flush() {
  std::set<std::shared_ptr<Handler>> handlers;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [name, logger] : loggers_)
      handlers.insert(logger->handlers_.begin(), logger->handlers_.end());
  }
  for (const auto& handler : handlers) handler->flush();
}

}  // namespace logging
