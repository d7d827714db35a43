// expect: crash order
// expect: assertion result
//
// A parallel compressor with the two bugs of pbzip2. `order`: when the last block has been written, main
// throws the queue away, although a compressing thread may still be on its way to look whether there is more;
// it then uses a null pointer. `result`: a compressed block is announced by its pointer before its size is
// stored; a writer that comes in between writes nothing of it.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

constexpr int kBlocks = 2;
constexpr int kCompressors = 2;

struct Block {
  int number;
  std::string text;
};

class BlockQueue {
 public:
  void push(Block block) {
    std::lock_guard lock(state_->mutex);
    state_->blocks.push_back(std::move(block));
    state_->changed.notify_one();
  }

  void finish() {
    std::lock_guard lock(state_->mutex);
    state_->finished = true;
    state_->changed.notify_all();
  }

  // Nothing once all blocks have been taken.
  std::optional<Block> pop() {
    State& state = *state_;
    std::unique_lock lock(state.mutex);
    state.changed.wait(lock, [&state] { return state.finished || !state.blocks.empty(); });
    if (state.blocks.empty()) return std::nullopt;
    Block block = std::move(state.blocks.front());
    state.blocks.pop_front();
    return block;
  }

  void destroy() { state_.reset(); }

 private:
  struct State {
    bool finished = false;
    std::deque<Block> blocks;
    std::mutex mutex;
    std::condition_variable changed;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
};

struct Compressed {
  std::atomic<const char*> bytes = nullptr;
  std::atomic<size_t> size = 0;
  std::string storage;
};

// Run lengths: "aaab" becomes "3a1b".
std::string run_lengths(const std::string& text) {
  std::string packed;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && text[end] == text[i] && end - i < 9) ++end;
    packed += static_cast<char>('0' + (end - i));
    packed += text[i];
    i = end;
  }
  return packed;
}

std::string text_of(int block) {
  return std::string(5, static_cast<char>('a' + block)) + "xy";
}

class Compressor {
 public:
  explicit Compressor(bool announces_too_early) : announces_too_early_(announces_too_early) {}

  BlockQueue& queue() { return queue_; }
  const std::string& written() const { return written_; }

  void compress_blocks() {
    while (std::optional<Block> block = queue_.pop()) {
      Compressed& result = results_[static_cast<size_t>(block->number)];
      result.storage = run_lengths(block->text);
      if (!announces_too_early_) result.size.store(result.storage.size());
      result.bytes.store(result.storage.data());
      if (announces_too_early_) result.size.store(result.storage.size());
    }
  }

  void write_blocks() {
    for (Compressed& result : results_) {
      while (result.bytes.load() == nullptr) std::this_thread::yield();
      written_.append(result.bytes.load(), result.size.load());
    }
  }

 private:
  const bool announces_too_early_;
  BlockQueue queue_;
  std::vector<Compressed> results_{kBlocks};
  std::string written_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string bug = subject::read_word(argc, argv);
  if (bug != "order" && bug != "result") subject::refuse(argv[0], "order|result");
  Compressor compressor(bug == "result" && !subject::fixed);

  std::vector<std::thread> compressing;
  for (int i = 0; i < kCompressors; ++i) {
    compressing.emplace_back([&compressor] { compressor.compress_blocks(); });
  }
  std::thread writing([&compressor] { compressor.write_blocks(); });

  std::string expected;
  for (int i = 0; i < kBlocks; ++i) {
    compressor.queue().push(Block{i, text_of(i)});
    expected += run_lengths(text_of(i));
  }
  compressor.queue().finish();

  writing.join();
  if (bug == "order" && !subject::fixed) compressor.queue().destroy();
  for (std::thread& thread : compressing) thread.join();
  assert(compressor.written() == expected);
}
