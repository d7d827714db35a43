// Those who want to know what happens to a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace lists {

enum class ChangeKind { kAdded, kRemoved, kReplaced, kReordered };

// What happened: to so many elements from this position on.
struct Change {
  ChangeKind kind;
  std::size_t position;
  std::size_t count;
};

using Listener = std::function<void(const Change&)>;

// A set of listeners. They are called without any lock, so that they may do what they want, also register
// others; one that is removed while another thread notifies may be called once more.
class Listeners {
 public:
  using Id = std::uint64_t;

  Id add(Listener listener);

  // Returns whether there was such a listener.
  bool remove(Id id);

  std::size_t count() const;

  // Tells every listener. How many notifications there were is counted, with and without listeners.
  void notify(const Change& change);
  std::uint64_t notifications() const;

 private:
  struct Registered {
    Id id;
    Listener listener;
  };

  std::vector<Registered>::const_iterator find(Id id) const;

  mutable std::mutex mutex_;
  std::vector<Registered> registered_;
  Id next_id_ = 1;
  std::uint64_t notifications_ = 0;
};

}  // namespace lists
