#include "closing_mailbox.h"

namespace mail {

bool ClosingMailbox::put(int letter) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    letters_.push_back(letter);
  }
  changed_.notify_one();
  return true;
}

bool ClosingMailbox::put_all(const std::vector<int>& letters) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    letters_.insert(letters_.end(), letters.begin(), letters.end());
  }
  changed_.notify_all();
  return true;
}

std::optional<int> ClosingMailbox::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !letters_.empty(); });
  if (letters_.empty()) return std::nullopt;
  return take_first();
}

std::optional<int> ClosingMailbox::try_take() {
  const std::lock_guard lock(mutex_);
  if (letters_.empty()) return std::nullopt;
  return take_first();
}

void ClosingMailbox::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

std::size_t ClosingMailbox::size() const {
  const std::lock_guard lock(mutex_);
  return letters_.size();
}

std::size_t ClosingMailbox::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

int ClosingMailbox::take_first() {
  const int letter = letters_.front();
  letters_.pop_front();
  ++taken_;
  return letter;
}

}  // namespace mail
