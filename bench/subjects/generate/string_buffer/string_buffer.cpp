#include "string_buffer.h"

#include <algorithm>
#include <stdexcept>

namespace text {

void StringBuffer::check_length(size_t more) const {
  if (more > kLongest - text_.size()) throw std::length_error("the text would be too long");
}

StringBuffer& StringBuffer::append(std::string_view text) {
  const std::lock_guard lock(mutex_);
  check_length(text.size());
  text_ += text;
  return *this;
}

// Never both locks at once: two buffers may be appended to each other.
StringBuffer& StringBuffer::append(const StringBuffer& other) {
  const size_t length = other.length();
  return append(other.substring(0, length));
}

StringBuffer& StringBuffer::append(char character) {
  return append(std::string_view(&character, 1));
}

StringBuffer& StringBuffer::insert(size_t position, std::string_view text) {
  const std::lock_guard lock(mutex_);
  check_length(text.size());
  text_.insert(position, text);
  return *this;
}

StringBuffer& StringBuffer::remove(size_t begin, size_t end) {
  const std::lock_guard lock(mutex_);
  if (begin > end || end > text_.size()) throw std::out_of_range("remove: no such part");
  text_.erase(begin, end - begin);
  return *this;
}

StringBuffer& StringBuffer::reverse() {
  const std::lock_guard lock(mutex_);
  std::reverse(text_.begin(), text_.end());
  return *this;
}

void StringBuffer::set_length(size_t length) {
  if (length > kLongest) throw std::length_error("the text would be too long");
  const std::lock_guard lock(mutex_);
  text_.resize(length, ' ');
}

void StringBuffer::clear() {
  const std::lock_guard lock(mutex_);
  text_.clear();
}

size_t StringBuffer::length() const {
  const std::lock_guard lock(mutex_);
  return text_.size();
}

char StringBuffer::char_at(size_t position) const {
  const std::lock_guard lock(mutex_);
  return text_.at(position);
}

std::string StringBuffer::substring(size_t begin, size_t end) const {
  const std::lock_guard lock(mutex_);
  if (begin > end || end > text_.size()) throw std::out_of_range("substring: no such part");
  return text_.substr(begin, end - begin);
}

std::optional<size_t> StringBuffer::index_of(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  const size_t position = text_.find(text);
  if (position == std::string::npos) return std::nullopt;
  return position;
}

std::string StringBuffer::to_string() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

}  // namespace text
