// A set of small numbers, one bit for each, that threads share.
//
// Operations on one number are lock-free and atomic: they work on one word. Operations on ranges, and those
// between two sets, go through the words one by one. They exclude each other by a lock, but not the
// operations on one number, which may come in between two words.
//
// How many numbers there are, and the largest one, take a walk through all words to find out. Both are
// remembered together with the version of the set that they hold for; every change makes a new version.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace bits {

class BitSet {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kWordBits = 64;

  // A set for numbers below `capacity`. All operations throw std::out_of_range for others.
  explicit BitSet(std::size_t capacity);
  BitSet(const BitSet&) = delete;
  BitSet& operator=(const BitSet&) = delete;

  // The set that `text` describes: one character for each number, '1' if it is in the set, else '0'.
  static void parse(const std::string& text, BitSet& result);
  std::string to_string() const;

  std::size_t capacity() const { return capacity_; }

  // One number. The functions that change something return whether the number was in the set before.
  bool test(std::size_t number) const;
  bool set(std::size_t number);
  bool reset(std::size_t number);
  bool flip(std::size_t number);

  // The numbers with from <= number < to.
  void set_range(std::size_t from, std::size_t to);
  void reset_range(std::size_t from, std::size_t to);
  void flip_range(std::size_t from, std::size_t to);
  std::size_t count_range(std::size_t from, std::size_t to) const;
  void clear();

  // Two sets of the same capacity; others throw std::invalid_argument.
  void unite(const BitSet& other);
  void intersect(const BitSet& other);
  void subtract(const BitSet& other);
  void toggle(const BitSet& other);
  void assign(const BitSet& other);
  bool intersects(const BitSet& other) const;
  bool contains(const BitSet& other) const;
  bool equals(const BitSet& other) const;

  // How many numbers are in the set.
  std::size_t cardinality() const;

  // How much of the capacity is in use, from 0 to 1.
  double density() const;

  // The largest number plus one; zero for an empty set.
  std::size_t length() const;

  bool empty() const { return !next_set(0).has_value(); }

  // The smallest number, not below `from`, that is in the set or not in it.
  std::optional<std::size_t> next_set(std::size_t from) const;
  std::optional<std::size_t> next_clear(std::size_t from) const;

  // Puts the smallest number, not below `from`, that is not in the set into it, and returns it.
  std::optional<std::size_t> claim(std::size_t from = 0);

  // The number with so many smaller ones in the set.
  std::optional<std::size_t> select(std::size_t index) const;

  void for_each(const std::function<void(std::size_t)>& visit) const;
  std::vector<std::size_t> numbers() const;
  std::size_t hash() const;

  // How many changes there were.
  std::uint64_t version() const { return version_.load(); }

 private:
  static Word bit(std::size_t number) { return Word{1} << (number % kWordBits); }

  // The bits of word `index` that stand for numbers with from <= number < to.
  static Word mask(std::size_t index, std::size_t from, std::size_t to);

  // A word, for atomic access.
  std::atomic_ref<Word> word(std::size_t index) const { return std::atomic_ref<Word>(words_[index]); }

  void check_number(std::size_t number) const;
  void check_range(std::size_t from, std::size_t to) const;
  void check_partner(const BitSet& other) const;
  void changed() { version_.fetch_add(1); }

  // Calls `function(index)` for each word while no other operation on ranges or two sets is under way in
  // either set.
  void for_each_word(const BitSet& other, const std::function<bool(std::size_t)>& function) const;

  const std::size_t capacity_;
  mutable std::vector<Word> words_;
  std::atomic<std::uint64_t> version_{1};

  // Held by operations on ranges and between two sets.
  mutable std::mutex bulk_mutex_;

  // Guards what is remembered, and the versions it holds for.
  mutable std::mutex cache_mutex_;
  mutable std::uint64_t cardinality_version_ = 0;
  mutable std::size_t cardinality_ = 0;
  mutable std::uint64_t length_version_ = 0;
  mutable std::size_t length_ = 0;
};

}  // namespace bits
