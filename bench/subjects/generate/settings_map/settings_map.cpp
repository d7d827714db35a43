#include "settings_map.h"

#include <mutex>

namespace config {

SettingsMap::SettingsMap(std::map<std::string, std::string> settings) : settings_(std::move(settings)) {}

std::optional<std::string> SettingsMap::get(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto setting = settings_.find(name);
  if (setting == settings_.end()) return std::nullopt;
  return setting->second;
}

std::string SettingsMap::get_or(const std::string& name, const std::string& otherwise) const {
  return get(name).value_or(otherwise);
}

bool SettingsMap::contains(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  return settings_.contains(name);
}

size_t SettingsMap::size() const {
  const std::shared_lock lock(mutex_);
  return settings_.size();
}

std::vector<std::string> SettingsMap::names() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [name, value] : settings_) all.push_back(name);
  return all;
}

std::map<std::string, std::string> SettingsMap::snapshot() const {
  const std::shared_lock lock(mutex_);
  return settings_;
}

std::optional<std::string> SettingsMap::set(const std::string& name, const std::string& value) {
  const std::unique_lock lock(mutex_);
  const auto [setting, is_new] = settings_.try_emplace(name, value);
  if (is_new) return std::nullopt;
  return std::exchange(setting->second, value);
}

std::string SettingsMap::set_default(const std::string& name, const std::string& value) {
  const std::unique_lock lock(mutex_);
  return settings_.try_emplace(name, value).first->second;
}

std::string SettingsMap::update(const std::string& name,
                                const std::function<std::string(const std::string&)>& change) {
  const std::unique_lock lock(mutex_);
  const auto setting = settings_.find(name);
  std::string value = change(setting == settings_.end() ? std::string() : setting->second);
  settings_[name] = value;
  return value;
}

bool SettingsMap::erase(const std::string& name) {
  const std::unique_lock lock(mutex_);
  return settings_.erase(name) > 0;
}

void SettingsMap::clear() {
  const std::unique_lock lock(mutex_);
  settings_.clear();
}

void SettingsMap::take_from(const SettingsMap& other) {
  if (&other == this) return;
  std::unique_lock lock(mutex_, std::defer_lock);
  std::shared_lock other_lock(other.mutex_, std::defer_lock);
  std::lock(lock, other_lock);
  for (const auto& [name, value] : other.settings_) settings_.insert_or_assign(name, value);
}

}  // namespace config
