// expect: ok
// detect: race
// executions: 200
// A free list of the program, under its lock.
#include <mutex>
#include <thread>

struct Block {
  Block* next;
  int data[6];
};
std::mutex mutex;
Block blocks[2];
Block* free_blocks;

Block* take() {
  std::lock_guard guard(mutex);
  Block* block = free_blocks;
  if (block != nullptr) free_blocks = block->next;
  return block;
}
void give_back(Block* block) {
  std::lock_guard guard(mutex);
  block->next = free_blocks;
  free_blocks = block;
}

void work() {
  for (int i = 0; i < 3; ++i) {
    if (Block* block = take()) {
      block->data[1] = i;
      block->data[2] += i;
      give_back(block);
    }
  }
}

int main() {
  give_back(&blocks[0]);
  give_back(&blocks[1]);
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}
