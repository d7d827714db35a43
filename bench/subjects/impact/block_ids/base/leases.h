// Who uses numbers at the moment, what proves it, and names for some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "block_ids.h"

namespace ids {

// Numbers that somebody has for some time.
class Leases {
 public:
  void begin(Id id, int holder);
  bool renew(Id id);
  bool end(Id id);

  std::size_t held_by(int holder) const;
  int renewals() const;

 private:
  struct Lease {
    Id id = 0;
    int holder = 0;
    int renewals = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Lease> leases_;
  int renewals_ = 0;
};

// Proves that somebody has leased a number. Keys are powers, which take long to work out.
struct Token {
  Id id = 0;
  int holder = 0;
  std::uint64_t key = 0;
};

Token make_token(Id id, int holder);
bool is_valid(const Token& token);

class Names {
 public:
  // False if there is such a name.
  bool give(char name, Id id);
  bool take_away(char name);

  // 0 if there is no such name.
  Id find(char name) const;
  std::size_t size() const;

 private:
  struct Name {
    char name = 0;
    Id id = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Name> names_;
};

}  // namespace ids
