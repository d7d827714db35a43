#include "codec_registry.h"

namespace codecs {

void CodecRegistry::load_once() const {
  if (is_loaded_.load()) return;
  const std::lock_guard lock(load_mutex_);
  if (is_loaded_.load()) return;
  is_loaded_.store(true);
  enter("json", 1);
  enter("text", 2);
  enter("zip", 3);
}

bool CodecRegistry::enter(const std::string& name, int codec) const {
  const std::unique_lock lock(mutex_);
  return codecs_.emplace(name, codec).second;
}

bool CodecRegistry::add(const std::string& name, int codec) {
  load_once();
  return enter(name, codec);
}

bool CodecRegistry::remove(const std::string& name) {
  load_once();
  const std::unique_lock lock(mutex_);
  return codecs_.erase(name) > 0;
}

bool CodecRegistry::add_alias(const std::string& name, const std::string& alias) {
  load_once();
  const std::unique_lock lock(mutex_);
  const auto known = codecs_.find(name);
  if (known == codecs_.end()) return false;
  return codecs_.emplace(alias, known->second).second;
}

std::optional<int> CodecRegistry::find(const std::string& name) const {
  load_once();
  const std::shared_lock lock(mutex_);
  const auto known = codecs_.find(name);
  if (known == codecs_.end()) return std::nullopt;
  return known->second;
}

std::optional<int> CodecRegistry::find_for_file(const std::string& file) const {
  const size_t dot = file.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  return find(file.substr(dot + 1));
}

std::vector<std::string> CodecRegistry::names() const {
  load_once();
  const std::shared_lock lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [name, codec] : codecs_) all.push_back(name);
  return all;
}

size_t CodecRegistry::size() const {
  load_once();
  const std::shared_lock lock(mutex_);
  return codecs_.size();
}

}  // namespace codecs
