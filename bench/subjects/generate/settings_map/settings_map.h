// SettingsMap: settings by name, read all the time and changed now and then.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

namespace config {

// Thread-safe; readers do not wait for each other.
class SettingsMap {
 public:
  SettingsMap() = default;
  explicit SettingsMap(std::map<std::string, std::string> settings);
  SettingsMap(const SettingsMap&) = delete;
  SettingsMap& operator=(const SettingsMap&) = delete;

  std::optional<std::string> get(const std::string& name) const;
  std::string get_or(const std::string& name, const std::string& otherwise) const;
  bool contains(const std::string& name) const;
  size_t size() const;
  std::vector<std::string> names() const;
  std::map<std::string, std::string> snapshot() const;

  // What it was.
  std::optional<std::string> set(const std::string& name, const std::string& value);
  // Unless there is one; which one there is then.
  std::string set_default(const std::string& name, const std::string& value);
  // What the change makes of the value ("" if there is none). It must not use the map.
  std::string update(const std::string& name, const std::function<std::string(const std::string&)>& change);
  bool erase(const std::string& name);
  void clear();
  // All settings of the other map; its values replace those that are here.
  void take_from(const SettingsMap& other);

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::string> settings_;
};

}  // namespace config
