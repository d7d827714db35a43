// CodecRegistry: which codec is meant by a name.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace codecs {

// Thread-safe. The codecs that come with the library are there from the beginning, though they are entered
// only when the registry is used for the first time.
class CodecRegistry {
 public:
  CodecRegistry() = default;
  CodecRegistry(const CodecRegistry&) = delete;
  CodecRegistry& operator=(const CodecRegistry&) = delete;

  // False if the name is taken.
  bool add(const std::string& name, int codec);
  bool remove(const std::string& name);
  // Another name for the same codec. False if there is no such codec, or the alias is taken.
  bool add_alias(const std::string& name, const std::string& alias);

  std::optional<int> find(const std::string& name) const;
  // The codec of the file name's ending.
  std::optional<int> find_for_file(const std::string& file) const;
  bool contains(const std::string& name) const { return find(name).has_value(); }
  std::vector<std::string> names() const;
  size_t size() const;

 private:
  void load_once() const;
  bool enter(const std::string& name, int codec) const;

  mutable std::atomic<bool> is_loaded_{false};
  mutable std::mutex load_mutex_;
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, int> codecs_;
};

}  // namespace codecs
