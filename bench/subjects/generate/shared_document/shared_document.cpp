#include "shared_document.h"

#include <stdexcept>
#include <utility>

namespace editing {

SharedDocument::SharedDocument(std::string text) : text_(std::move(text)) {}

void SharedDocument::replace(std::string text) {
  std::string before = std::exchange(text_, std::move(text));
  const std::lock_guard lock(history_mutex_);
  if (history_.size() == kLongestHistory) history_.erase(history_.begin());
  history_.push_back(std::move(before));
}

void SharedDocument::insert(size_t position, std::string_view text) {
  const std::lock_guard lock(text_mutex_);
  if (position > text_.size()) throw std::out_of_range("insert: behind the end");
  replace(std::string(text_).insert(position, text));
}

void SharedDocument::append(std::string_view text) {
  const std::lock_guard lock(text_mutex_);
  replace(text_ + std::string(text));
}

void SharedDocument::erase(size_t position, size_t count) {
  const std::lock_guard lock(text_mutex_);
  if (position >= text_.size()) return;
  replace(std::string(text_).erase(position, count));
}

void SharedDocument::set_title(std::string_view title) {
  const std::lock_guard lock(text_mutex_);
  title_ = title;
}

bool SharedDocument::undo() {
  const std::lock_guard history_lock(history_mutex_);
  if (history_.empty()) return false;
  const std::lock_guard text_lock(text_mutex_);
  text_ = std::move(history_.back());
  history_.pop_back();
  return true;
}

size_t SharedDocument::undo_count() const {
  const std::lock_guard lock(history_mutex_);
  return history_.size();
}

void SharedDocument::clear_history() {
  const std::lock_guard lock(history_mutex_);
  history_.clear();
}

std::string SharedDocument::text() const {
  const std::lock_guard lock(text_mutex_);
  return text_;
}

std::string SharedDocument::title() const {
  const std::lock_guard lock(text_mutex_);
  return title_;
}

size_t SharedDocument::length() const {
  const std::lock_guard lock(text_mutex_);
  return text_.size();
}

std::optional<size_t> SharedDocument::find(std::string_view text) const {
  const std::lock_guard lock(text_mutex_);
  const size_t position = text_.find(text);
  if (position == std::string::npos) return std::nullopt;
  return position;
}

}  // namespace editing
