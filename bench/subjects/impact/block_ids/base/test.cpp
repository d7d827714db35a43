// Three threads take numbers and blocks of them: nobody has what another one has.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "block_ids.h"

namespace {

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
  const auto owner = std::make_unique<ids::BlockIds>(0);
  ids::BlockIds& ids = *owner;
  std::vector<ids::Block> taken[3];

  std::thread watcher([&] { watch(ids); });
  std::thread singles([&] { taken[0] = take_singles(ids, 4); });
  std::thread blocks([&] { taken[1] = take_blocks(ids); });
  std::thread others([&] { taken[2] = take_and_return(ids); });
  watcher.join();
  singles.join();
  blocks.join();
  others.join();

  std::vector<ids::Block> all;
  for (const auto& of_thread : taken) all.insert(all.end(), of_thread.begin(), of_thread.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) assert(!all[i].overlaps(all[j]));
  }
  assert(ids.reusable() < 8);
}
