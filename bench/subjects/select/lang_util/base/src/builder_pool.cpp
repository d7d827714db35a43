#include "builder_pool.h"

#include <algorithm>
#include <utility>

namespace lang {

StringBuilder& StringBuilder::append(std::string_view text) {
  text_.append(text);
  return *this;
}

StringBuilder& StringBuilder::append(std::int64_t number) {
  return append(std::to_string(number));
}

StringBuilder& StringBuilder::append_padded(std::string_view text, std::size_t width, char fill) {
  if (text.size() < width) text_.append(width - text.size(), fill);
  return append(text);
}

StringBuilder& StringBuilder::append_separator(std::string_view separator) {
  return text_.empty() ? *this : append(separator);
}

StringBuilder& StringBuilder::append_joined(const std::vector<std::string>& pieces,
                                            std::string_view separator) {
  bool first = true;
  for (const auto& piece : pieces) {
    if (!first) append(separator);
    append(piece);
    first = false;
  }
  return *this;
}

StringBuilder& StringBuilder::reverse() {
  std::reverse(text_.begin(), text_.end());
  return *this;
}

std::unique_ptr<StringBuilder> BuilderPool::take() {
  const std::lock_guard lock(mutex_);
  ++loans_;
  if (unused_.empty()) {
    ++made_;
    return std::make_unique<StringBuilder>();
  }
  auto builder = std::move(unused_.back());
  unused_.pop_back();
  return builder;
}

void BuilderPool::give_back(std::unique_ptr<StringBuilder> builder) {
  if (builder->capacity() > largest_) return;
  builder->clear();
  const std::lock_guard lock(mutex_);
  if (unused_.size() < limit_) unused_.push_back(std::move(builder));
}

std::size_t BuilderPool::unused() const {
  const std::lock_guard lock(mutex_);
  return unused_.size();
}

std::size_t BuilderPool::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

std::size_t BuilderPool::loans() const {
  const std::lock_guard lock(mutex_);
  return loans_;
}

}  // namespace lang
