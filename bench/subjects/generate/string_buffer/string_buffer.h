// StringBuffer: a text that several threads put together.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace text {

// Thread-safe; each method is one step for all other threads.
class StringBuffer {
 public:
  static constexpr size_t kLongest = 1 << 20;

  StringBuffer() = default;
  explicit StringBuffer(std::string text) : text_(std::move(text)) {}
  StringBuffer(const StringBuffer&) = delete;
  StringBuffer& operator=(const StringBuffer&) = delete;

  StringBuffer& append(std::string_view text);
  StringBuffer& append(const StringBuffer& other);
  StringBuffer& append(char character);
  // Positions behind the end are errors (std::out_of_range), as in all methods below.
  StringBuffer& insert(size_t position, std::string_view text);
  StringBuffer& remove(size_t begin, size_t end);
  StringBuffer& reverse();
  // Cuts the text, or fills it up with spaces.
  void set_length(size_t length);
  void clear();

  size_t length() const;
  bool empty() const { return length() == 0; }
  char char_at(size_t position) const;
  std::string substring(size_t begin, size_t end) const;
  std::optional<size_t> index_of(std::string_view text) const;
  std::string to_string() const;

 private:
  void check_length(size_t more) const;

  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace text
