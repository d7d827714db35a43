// expect: assertion
//
// ABA: a lock-free stack of buffers, in which the head is compared by index only. A thread that is stopped
// between reading the head's successor and exchanging the head finds the same head again after it has been
// taken, its successor taken and itself put back: the successor, which somebody uses, becomes the head.
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#include "../subject.h"

namespace {

constexpr uint32_t kBuffers = 3;
constexpr uint32_t kNone = UINT32_MAX;

// Buffers that nobody uses. The head is an index in the low half and, in the correct version, a count of
// changes in the high one.
class FreeBuffers {
 public:
  FreeBuffers() {
    for (uint32_t buffer = 0; buffer < kBuffers; ++buffer) put(buffer);
  }

  void put(uint32_t buffer) {
    uint64_t head = head_.load();
    do {
      next_[buffer].store(index_of(head));
    } while (!head_.compare_exchange_weak(head, successor_of(head, buffer)));
  }

  uint32_t take() {
    uint64_t head = head_.load();
    while (index_of(head) != kNone) {
      const uint32_t next = next_[index_of(head)].load();
      if (head_.compare_exchange_weak(head, successor_of(head, next))) return index_of(head);
    }
    return kNone;
  }

 private:
  static uint32_t index_of(uint64_t head) { return static_cast<uint32_t>(head); }
  static uint64_t successor_of(uint64_t head, uint32_t index) {
    const uint64_t changes = subject::fixed ? (head >> 32) + 1 : 0;
    return changes << 32 | index;
  }

  std::atomic<uint64_t> head_ = kNone;
  std::array<std::atomic<uint32_t>, kBuffers> next_{};
};

class Buffers {
 public:
  uint32_t acquire() {
    const uint32_t buffer = free_.take();
    if (buffer != kNone) {
      const bool used = used_[buffer].exchange(true);
      assert(!used);
    }
    return buffer;
  }

  void release(uint32_t buffer) {
    if (buffer == kNone) return;
    used_[buffer].store(false);
    free_.put(buffer);
  }

 private:
  FreeBuffers free_;
  std::array<std::atomic<bool>, kBuffers> used_{};
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Buffers buffers;
  std::thread reader([&buffers] {
    const uint32_t header = buffers.acquire();
    const uint32_t body = buffers.acquire();
    buffers.release(header);
    buffers.release(body);
  });
  std::thread writer([&buffers] {
    const uint32_t page = buffers.acquire();
    const uint32_t log = buffers.acquire();
    buffers.release(page);
    const uint32_t next_page = buffers.acquire();
    buffers.release(next_page);
    buffers.release(log);
  });
  reader.join();
  writer.join();
}
