// Three threads take numbers and blocks of them: nobody has what another one has. Two do so first of all, the
// third one when it has made some tokens. They lease and name other numbers, too.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "block_ids.h"
#include "leases.h"

namespace {

constexpr int kRounds = 7;
constexpr int kTokens = 14;

struct Registry {
  ids::BlockIds ids{0};
  ids::Leases leases;
  ids::Names names;
};

void lease(Registry& registry, int holder) {
  const ids::Id id = 1000 + static_cast<ids::Id>(holder);
  const char name = static_cast<char>('a' + holder);
  for (int round = 0; round < kRounds; ++round) {
    registry.leases.begin(id, holder);
    assert(registry.names.give(name, id));
    assert(registry.leases.renew(id));
    assert(registry.names.find(name) == id);
    assert(registry.leases.held_by(holder) == 1);
    assert(!registry.names.give(name, id + 1));
    assert(registry.leases.renewals() > round);
    assert(registry.names.size() >= 1);
    assert(registry.leases.end(id));
    assert(registry.names.take_away(name));
  }
}

void make_tokens() {
  for (int holder = 0; holder < kTokens; ++holder) assert(ids::is_valid(ids::make_token(1000, holder)));
}

std::vector<ids::Block> take_singles(ids::BlockIds& ids, int count) {
  std::vector<ids::Block> taken;
  for (int i = 0; i < count; ++i) taken.push_back({ids.allocate(), 1});
  return taken;
}

std::vector<ids::Block> take_and_return(ids::BlockIds& ids) {
  std::vector<ids::Block> taken = take_singles(ids, 3);
  ids.release(taken.back().first);
  taken.pop_back();
  assert(taken.back().first < ids.limit());
  return taken;
}

std::vector<ids::Block> take_blocks(ids::BlockIds& ids) {
  std::vector<ids::Block> taken;
  taken.push_back(ids.allocate_block(4));
  assert(taken.back().first + taken.back().size <= ids.limit());
  return taken;
}

void watch(const ids::BlockIds& ids) {
  const ids::Usage before = ids.usage();
  const ids::Id limit = ids.limit();
  assert(ids.reusable() < 8);
  const ids::Usage after = ids.usage();
  assert(after.singles >= before.singles && after.released >= before.released);
  assert(ids.limit() >= limit);
  assert(ids.usage().blocks <= 1);
  assert(ids.reusable() < 8);
  assert(ids.limit() < 24);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Registry>();
  Registry& registry = *owner;
  ids::BlockIds& ids = registry.ids;
  std::vector<ids::Block> taken[3];

  std::thread singles([&] {
    taken[0] = take_singles(ids, 4);
    lease(registry, 1);
  });
  std::thread others([&] {
    taken[2] = take_and_return(ids);
    lease(registry, 4);
  });
  std::thread watcher([&] {
    watch(ids);
    lease(registry, 2);
  });
  std::thread blocks([&] {
    make_tokens();
    taken[1] = take_blocks(ids);
    lease(registry, 3);
  });
  singles.join();
  others.join();
  watcher.join();
  blocks.join();

  assert(registry.names.size() == 0);
  assert(registry.leases.renewals() == 4 * kRounds);
  std::vector<ids::Block> all;
  for (const auto& of_thread : taken) all.insert(all.end(), of_thread.begin(), of_thread.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) assert(!all[i].overlaps(all[j]));
  }
  assert(ids.reusable() < 8);
}
