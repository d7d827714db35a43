// BufferPool: buffers that are lent and come back by themselves.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace buffers {

// Thread-safe. A lease belongs to one thread at a time, and may outlive the pool.
class BufferPool {
  struct Store;

 public:
  static constexpr size_t kBufferSize = 256;
  static constexpr size_t kMostBuffers = 1024;

  // One buffer, until it is destroyed or given back.
  class Lease {
   public:
    Lease(Lease&& other) noexcept = default;
    Lease& operator=(Lease&& other) noexcept;
    ~Lease() { give_back(); }

    void give_back();
    bool is_held() const { return store_ != nullptr; }
    size_t size() const { return is_held() ? kBufferSize : 0; }
    unsigned char* data() { return is_held() ? buffer_->data() : nullptr; }

   private:
    friend class BufferPool;
    using Buffer = std::unique_ptr<std::vector<unsigned char>>;

    Lease(std::shared_ptr<Store> store, Buffer buffer);

    std::shared_ptr<Store> store_;
    Buffer buffer_;
  };

  // No more than kMostBuffers, and one at least.
  explicit BufferPool(size_t capacity);
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // Nothing if all buffers are lent.
  std::optional<Lease> try_acquire();
  // As many as there are, at most so many.
  std::vector<Lease> acquire_up_to(size_t number);
  // It would come back by itself, but later.
  void release(Lease lease) { lease.give_back(); }

  // Less than are lent: those that come back are thrown away.
  void set_capacity(size_t capacity);
  size_t capacity() const;
  size_t available() const;
  size_t lent() const;
  // Memory that is not in use. How many buffers.
  size_t free_unused();

 private:
  std::shared_ptr<Store> store_;
};

}  // namespace buffers
