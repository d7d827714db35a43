// A parallel block compressor, in the shape of pbzip2: main produces blocks of text, workers compress each,
// decompress it again and compare. The text is generated, so that the work is the same on every machine.
//
//   compress KILOBYTES WORKERS
//
// The benchmark's workload: about 70 million instrumented accesses per megabyte (gcc, -O1), nearly all
// of them to memory that one thread alone uses.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "block.h"
#include "work_queue.h"

namespace {

using compress::Bytes;

constexpr size_t kBlockSize = 64 * 1024;

// Words drawn by a skewed distribution from a made-up vocabulary: compresses about as well as prose.
class TextSource {
 public:
  TextSource() {
    for (std::string& word : words_) {
      size_t length = 2 + next() % 9;
      for (size_t i = 0; i < length; ++i) word.push_back(static_cast<char>('a' + next() % 26));
    }
  }

  Bytes block(size_t size) {
    Bytes text;
    text.reserve(size);
    while (text.size() < size) {
      uint32_t rank = next() % kWords * (next() % kWords) / kWords;
      for (char letter : words_[rank]) text.push_back(static_cast<uint8_t>(letter));
      text.push_back(next() % 12 == 0 ? '\n' : ' ');
    }
    text.resize(size);
    return text;
  }

 private:
  static constexpr uint32_t kWords = 4096;

  uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33);
  }

  uint64_t state_ = 42;
  std::vector<std::string> words_ = std::vector<std::string>(kWords);
};

struct Block {
  size_t index;
  Bytes text;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: compress KILOBYTES WORKERS\n");
    return 2;
  }
  const size_t total = std::strtoul(argv[1], nullptr, 10) * 1024;
  const size_t workers = std::strtoul(argv[2], nullptr, 10);

  compress::WorkQueue<Block> queue(2 * workers);
  std::vector<Bytes> packed((total + kBlockSize - 1) / kBlockSize);
  std::atomic<size_t> bad{0};

  std::vector<std::thread> threads;
  for (size_t i = 0; i < workers; ++i) {
    threads.emplace_back([&] {
      while (std::optional<Block> block = queue.pop()) {
        Bytes result = compress::compress_block(block->text);
        if (compress::decompress_block(result) != block->text) ++bad;
        packed[block->index] = std::move(result);
      }
    });
  }

  TextSource source;
  for (size_t i = 0; i < packed.size(); ++i) {
    queue.push({i, source.block(std::min(kBlockSize, total - i * kBlockSize))});
  }
  queue.close();
  for (std::thread& thread : threads) thread.join();

  size_t packed_size = 0;
  for (const Bytes& block : packed) packed_size += block.size();
  std::printf("%zu bytes packed into %zu\n", total, packed_size);
  return bad == 0 ? 0 : 1;
}
