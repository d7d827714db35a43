#include "leases.h"

namespace ids {

namespace {

constexpr int kSquarings = 1 << 15;
constexpr std::uint64_t kModulus = 4294967291;  // the largest prime of 32 bits

std::uint64_t key_of(Id id, int holder) {
  std::uint64_t key = (id * 31 + static_cast<std::uint64_t>(holder)) % kModulus;
  for (int i = 0; i < kSquarings; ++i) key = (key * key + id) % kModulus;
  return key;
}

}  // namespace

void Leases::begin(Id id, int holder) {
  const std::lock_guard lock(mutex_);
  leases_.push_back({.id = id, .holder = holder});
}

bool Leases::renew(Id id) {
  const std::lock_guard lock(mutex_);
  for (Lease& lease : leases_) {
    if (lease.id != id) continue;
    ++lease.renewals;
    ++renewals_;
    return true;
  }
  return false;
}

bool Leases::end(Id id) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(leases_, [&](const Lease& lease) { return lease.id == id; }) > 0;
}

std::size_t Leases::held_by(int holder) const {
  const std::lock_guard lock(mutex_);
  std::size_t held = 0;
  for (const Lease& lease : leases_) held += lease.holder == holder ? 1 : 0;
  return held;
}

int Leases::renewals() const {
  const std::lock_guard lock(mutex_);
  return renewals_;
}

Token make_token(Id id, int holder) {
  return {id, holder, key_of(id, holder)};
}

bool is_valid(const Token& token) {
  return token.key == key_of(token.id, token.holder);
}

bool Names::give(char name, Id id) {
  const std::lock_guard lock(mutex_);
  for (const Name& given : names_) {
    if (given.name == name) return false;
  }
  names_.push_back({name, id});
  return true;
}

bool Names::take_away(char name) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(names_, [&](const Name& given) { return given.name == name; }) > 0;
}

Id Names::find(char name) const {
  const std::lock_guard lock(mutex_);
  for (const Name& given : names_) {
    if (given.name == name) return given.id;
  }
  return 0;
}

std::size_t Names::size() const {
  const std::lock_guard lock(mutex_);
  return names_.size();
}

}  // namespace ids
