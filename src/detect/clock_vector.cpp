#include "detect/clock_vector.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heddle::detect {

ClockPool::~ClockPool() {
  for (Block* block : all_) std::free(block);
}

ClockPool::Block* ClockPool::allocate(uint32_t size) {
  // The head is as large as four entries, so that blocks are powers of two.
  const uint32_t entries = std::bit_ceil(std::max(size, kSmallest) + 4);
  const auto size_class = static_cast<size_t>(std::countr_zero(entries));
  Block* block = nullptr;
  if (!free_[size_class].empty()) {
    block = free_[size_class].back();
    free_[size_class].pop_back();
  } else {
    const size_t bytes = size_t{entries} * sizeof(uint32_t);
    block = static_cast<Block*>(std::malloc(bytes));
    if (block == nullptr) throw std::bad_alloc();
    bytes_ += bytes;
    all_.push_back(block);
  }
  *block = {.references = 1, .capacity = entries - 4, .size = size, .padding = 0};
  return block;
}

void ClockPool::put_back(Block* block) {
  free_[static_cast<size_t>(std::countr_zero(block->capacity + 4))].push_back(block);
}

void ClockVector::own(ClockPool& pool, uint32_t size) {
  pool_ = &pool;
  const uint32_t had = this->size();
  if (block_ != nullptr && block_->references == 1 && size <= block_->capacity) {
    if (size > had) {
      std::memset(block_->clocks() + had, 0, (size - had) * sizeof(uint32_t));
      block_->size = size;
    }
    return;
  }
  ClockPool::Block* fresh = pool.allocate(std::max(size, had));
  if (had > 0) std::memcpy(fresh->clocks(), block_->clocks(), had * sizeof(uint32_t));
  if (size > had) std::memset(fresh->clocks() + had, 0, (size - had) * sizeof(uint32_t));
  clear();
  block_ = fresh;
}

void ClockVector::learn(ClockPool& pool, uint32_t slot, uint32_t clock) {
  if ((*this)[slot] >= clock) return;
  own(pool, slot + 1);
  block_->clocks()[slot] = clock;
}

void ClockVector::learn(ClockPool& pool, const ClockVector& other) {
  if (other.block_ == nullptr || other.block_ == block_) return;
  if (block_ == nullptr) {
    *this = other;
    return;
  }
  own(pool, other.size());
  uint32_t* mine = block_->clocks();
  const uint32_t* theirs = other.block_->clocks();
  for (uint32_t i = 0; i < other.block_->size; ++i) mine[i] = std::max(mine[i], theirs[i]);
}

}  // namespace heddle::detect
