// Sessions: values that the server keeps for a visitor between requests, found by an id that is hard to
// guess.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "clock.h"

namespace web {

/// The values of one visitor. Several requests of one visitor may be served at the same time.
class Session {
 public:
  explicit Session(std::string id, Millis created)
      : id_(std::move(id)), created_(created), last_seen_(created) {}

  /// The id under which it was created; `SessionStore::rotate` gives a session a new one.
  const std::string& first_id() const { return id_; }
  Millis created() const { return created_; }

  std::optional<std::string> get(std::string_view name) const;
  void set(std::string_view name, std::string value);
  bool erase(std::string_view name);
  /// Adds to a number and returns the sum; what is no number counts as 0.
  std::int64_t add(std::string_view name, std::int64_t amount);
  std::map<std::string, std::string, std::less<>> values() const;

 private:
  friend class SessionStore;

  const std::string id_;
  const Millis created_;
  Millis last_seen_;         // guarded by the store's mutex
  std::uint64_t finds_ = 0;  // guarded by the store's mutex

  mutable std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> values_;
};

class SessionStore {
 public:
  using SessionPtr = std::shared_ptr<Session>;

  struct Stats {
    std::size_t live = 0;
    std::uint64_t created = 0;
    std::uint64_t expired = 0;
    std::uint64_t destroyed = 0;
    std::uint64_t finds = 0;  // of the sessions that are live
    Millis longest_idle = 0;  // of the sessions that are live
  };

  /// `time_to_live` counts from the last time a session was found. `seed` makes ids repeatable in tests.
  SessionStore(const Clock& clock, Millis time_to_live, std::uint64_t seed)
      : clock_(clock), time_to_live_(time_to_live), state_(seed) {}

  /// A new session and its id.
  std::pair<std::string, SessionPtr> create();
  /// The session if it is there and has not expired; it lives on from now.
  SessionPtr find(const std::string& id);
  bool destroy(const std::string& id);
  /// Gives a session a new id, as one does after a login; nothing if there is no such session.
  std::optional<std::string> rotate(const std::string& id);
  /// Removes what has expired; returns how many.
  std::size_t sweep();

  std::size_t size() const;
  Stats stats() const;
  std::vector<std::string> ids() const;

 private:
  std::string new_id();
  bool expired(const Session& session, Millis now) const;

  const Clock& clock_;
  const Millis time_to_live_;

  mutable std::mutex mutex_;
  std::uint64_t state_;
  std::unordered_map<std::string, SessionPtr> sessions_;
  std::uint64_t created_ = 0;
  std::uint64_t expired_ = 0;
  std::uint64_t destroyed_ = 0;
};

}  // namespace web
