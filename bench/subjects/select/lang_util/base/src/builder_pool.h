// Buffers for building text, used again and again: the memory of a long text is not given back and asked for
// each time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lang {

// Builds a text piece by piece. Belongs to one thread at a time.
class StringBuilder {
 public:
  StringBuilder& append(std::string_view text);
  StringBuilder& append(std::int64_t number);
  StringBuilder& append_padded(std::string_view text, std::size_t width, char fill = ' ');
  StringBuilder& append_separator(std::string_view separator);

  // Joins the pieces: nothing before the first one and after the last one.
  StringBuilder& append_joined(const std::vector<std::string>& pieces, std::string_view separator);

  StringBuilder& reverse();
  void clear() { text_.clear(); }
  std::size_t size() const { return text_.size(); }
  std::size_t capacity() const { return text_.capacity(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Builders for all threads. Keeps at most `limit` unused ones, and none with more memory than `largest`.
class BuilderPool {
 public:
  explicit BuilderPool(std::size_t limit = 4, std::size_t largest = 4096)
      : limit_(limit), largest_(largest) {}

  // A builder on loan: comes from the pool, is empty, and goes back by itself.
  class Loan {
   public:
    explicit Loan(BuilderPool& pool) : pool_(pool), builder_(pool.take()) {}
    ~Loan() { pool_.give_back(std::move(builder_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    StringBuilder& operator*() const { return *builder_; }
    StringBuilder* operator->() const { return builder_.get(); }

   private:
    BuilderPool& pool_;
    std::unique_ptr<StringBuilder> builder_;
  };

  std::size_t unused() const;

  // How many builders were made, and how many loans there were.
  std::size_t made() const;
  std::size_t loans() const;

 private:
  std::unique_ptr<StringBuilder> take();
  void give_back(std::unique_ptr<StringBuilder> builder);

  const std::size_t limit_;
  const std::size_t largest_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<StringBuilder>> unused_;
  std::size_t made_ = 0;
  std::size_t loans_ = 0;
};

}  // namespace lang
