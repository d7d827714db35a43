// A queue of letters for several readers, which ends when it is closed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace mail {

class ClosingMailbox {
 public:
  // False if the mailbox is closed.
  bool put(int letter);
  bool put_all(const std::vector<int>& letters);

  // Waits for a letter. Nothing if there are none and the mailbox is closed.
  std::optional<int> take();
  std::optional<int> try_take();

  // No more letters come; readers get what is there.
  void close();

  std::size_t size() const;
  std::size_t taken() const;

 private:
  // Expects the caller to hold mutex_, and a letter to be there.
  int take_first();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> letters_;
  std::size_t taken_ = 0;
  bool closed_ = false;
};

}  // namespace mail
