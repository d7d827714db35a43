// SparseBits: a set of small numbers that are clustered, as the places a pointer may point to are.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::program {

// A set that most are tested against.
class DenseBits {
 public:
  void insert(uint32_t number) {
    if (words_.size() <= number >> 6) words_.resize((number >> 6) + 1 + words_.size() / 2);
    words_[number >> 6] |= uint64_t{1} << (number & 63);
  }
  bool contains(uint32_t number) const { return (word(number >> 6) >> (number & 63) & 1) != 0; }
  uint64_t word(uint32_t index) const { return index < words_.size() ? words_[index] : 0; }

 private:
  std::vector<uint64_t> words_;
};

class SparseBits {
 public:
  bool empty() const { return words_.empty(); }
  size_t words() const { return words_.size(); }

  size_t size() const {
    size_t count = 0;
    for (const Word& word : words_) count += static_cast<size_t>(std::popcount(word.bits));
    return count;
  }

  bool insert(uint32_t number) {
    const uint64_t bit = uint64_t{1} << (number & 63);
    auto word = find(number >> 6);
    if (word != words_.end() && word->index == number >> 6) {
      if (word->bits & bit) return false;
      word->bits |= bit;
      return true;
    }
    words_.insert(word, {number >> 6, bit});
    return true;
  }

  bool contains(uint32_t number) const {
    auto word = const_cast<SparseBits*>(this)->find(number >> 6);
    return word != words_.end() && word->index == number >> 6 && (word->bits >> (number & 63) & 1);
  }

  // Adds all of `other`, but for what `except` has; what was not here before is also added to `added`.
  bool unite(const SparseBits& other, SparseBits& added, const DenseBits& except = {}) {
    std::vector<Word> fresh;
    auto mine = words_.begin();
    size_t missing = 0;
    for (const Word& word : other.words_) {
      while (mine != words_.end() && mine->index < word.index) ++mine;
      const bool here = mine != words_.end() && mine->index == word.index;
      const uint64_t bits = word.bits & ~((here ? mine->bits : 0) | except.word(word.index));
      if (bits == 0) continue;
      fresh.push_back({word.index, bits});
      if (here) {
        mine->bits |= bits;
      } else {
        ++missing;
      }
    }
    if (fresh.empty()) return false;
    if (missing != 0) words_ = merged(words_, fresh);
    added.words_ = added.words_.empty() ? std::move(fresh) : merged(added.words_, fresh);
    return true;
  }

  void remove(const DenseBits& others) {
    for (Word& word : words_) word.bits &= ~others.word(word.index);
    std::erase_if(words_, [](const Word& word) { return word.bits == 0; });
  }

  bool operator==(const SparseBits& other) const { return words_ == other.words_; }

  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Word& word : words_) {
      for (uint64_t bits = word.bits; bits != 0; bits &= bits - 1) {
        visit(word.index * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
      }
    }
  }

 private:
  struct Word {
    uint32_t index;
    uint64_t bits;
    bool operator==(const Word&) const = default;
  };

  std::vector<Word>::iterator find(uint32_t index) {
    auto low = words_.begin();
    size_t count = words_.size();
    while (count > 0) {
      const size_t half = count / 2;
      if (low[half].index < index) {
        low += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return low;
  }

  static std::vector<Word> merged(const std::vector<Word>& a, const std::vector<Word>& b) {
    std::vector<Word> all;
    all.reserve(a.size() + b.size());
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
      if (y == b.end() || (x != a.end() && x->index < y->index)) {
        all.push_back(*x++);
      } else if (x == a.end() || y->index < x->index) {
        all.push_back(*y++);
      } else {
        all.push_back({x->index, x->bits | y->bits});
        ++x, ++y;
      }
    }
    return all;
  }

  std::vector<Word> words_;
};

}  // namespace heddle::program
