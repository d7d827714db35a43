#include "bit_set.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace bits {

BitSet::BitSet(std::size_t capacity)
    : capacity_(capacity), words_((capacity + kWordBits - 1) / kWordBits, Word{0}) {}

void BitSet::parse(const std::string& text, BitSet& result) {
  if (text.size() > result.capacity()) throw std::invalid_argument("the text has more bits than the set");
  result.clear();
  for (std::size_t number = 0; number < text.size(); ++number) {
    if (text[number] != '0' && text[number] != '1') throw std::invalid_argument("a bit is neither 0 nor 1");
    if (text[number] == '1') result.set(number);
  }
}

std::string BitSet::to_string() const {
  std::string text(capacity_, '0');
  for_each([&](std::size_t number) { text[number] = '1'; });
  return text;
}

BitSet::Word BitSet::mask(std::size_t index, std::size_t from, std::size_t to) {
  const std::size_t begin = std::max(from, index * kWordBits);
  const std::size_t end = std::min(to, (index + 1) * kWordBits);
  if (begin >= end) return 0;
  const std::size_t count = end - begin;
  const Word ones = count == kWordBits ? ~Word{0} : (Word{1} << count) - 1;
  return ones << (begin % kWordBits);
}

void BitSet::check_number(std::size_t number) const {
  if (number >= capacity_) throw std::out_of_range("the set has no room for this number");
}

void BitSet::check_range(std::size_t from, std::size_t to) const {
  if (from > to || to > capacity_) throw std::out_of_range("the set has no room for this range");
}

void BitSet::check_partner(const BitSet& other) const {
  if (other.capacity_ != capacity_) throw std::invalid_argument("the sets have different capacities");
}

bool BitSet::test(std::size_t number) const {
  check_number(number);
  return (word(number / kWordBits).load() & bit(number)) != 0;
}

bool BitSet::set(std::size_t number) {
  check_number(number);
  const bool before = (word(number / kWordBits).fetch_or(bit(number)) & bit(number)) != 0;
  if (!before) changed();
  return before;
}

bool BitSet::reset(std::size_t number) {
  check_number(number);
  const bool before = (word(number / kWordBits).fetch_and(~bit(number)) & bit(number)) != 0;
  if (before) changed();
  return before;
}

bool BitSet::flip(std::size_t number) {
  check_number(number);
  const bool before = (word(number / kWordBits).fetch_xor(bit(number)) & bit(number)) != 0;
  changed();
  return before;
}

void BitSet::set_range(std::size_t from, std::size_t to) {
  check_range(from, to);
  const std::lock_guard lock(bulk_mutex_);
  for (std::size_t i = from / kWordBits; i * kWordBits < to; ++i) word(i).fetch_or(mask(i, from, to));
  changed();
}

void BitSet::reset_range(std::size_t from, std::size_t to) {
  check_range(from, to);
  const std::lock_guard lock(bulk_mutex_);
  for (std::size_t i = from / kWordBits; i * kWordBits < to; ++i) word(i).fetch_and(~mask(i, from, to));
  changed();
}

void BitSet::flip_range(std::size_t from, std::size_t to) {
  check_range(from, to);
  const std::lock_guard lock(bulk_mutex_);
  for (std::size_t i = from / kWordBits; i * kWordBits < to; ++i) word(i).fetch_xor(mask(i, from, to));
  changed();
}

std::size_t BitSet::count_range(std::size_t from, std::size_t to) const {
  check_range(from, to);
  std::size_t count = 0;
  for (std::size_t i = from / kWordBits; i * kWordBits < to; ++i) {
    count += static_cast<std::size_t>(std::popcount(word(i).load() & mask(i, from, to)));
  }
  return count;
}

void BitSet::clear() {
  {
    const std::lock_guard lock(bulk_mutex_);
    for (std::size_t i = 0; i < words_.size(); ++i) word(i).store(0);
  }
  changed();
  // What is remembered of the largest number goes with it, so that length() does not begin its walk in vain.
  const std::lock_guard lock(cache_mutex_);
  length_ = 0;
  length_version_ = 0;
}

void BitSet::for_each_word(const BitSet& other, const std::function<bool(std::size_t)>& function) const {
  check_partner(other);
  if (this == &other) {
    const std::lock_guard lock(bulk_mutex_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!function(i)) return;
    }
    return;
  }
  const std::scoped_lock lock(bulk_mutex_, other.bulk_mutex_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!function(i)) return;
  }
}

void BitSet::unite(const BitSet& other) {
  for_each_word(other, [&](std::size_t i) {
    word(i).fetch_or(other.word(i).load());
    return true;
  });
  changed();
}

void BitSet::intersect(const BitSet& other) {
  for_each_word(other, [&](std::size_t i) {
    word(i).fetch_and(other.word(i).load());
    return true;
  });
  changed();
}

void BitSet::subtract(const BitSet& other) {
  for_each_word(other, [&](std::size_t i) {
    word(i).fetch_and(~other.word(i).load());
    return true;
  });
  changed();
}

void BitSet::toggle(const BitSet& other) {
  for_each_word(other, [&](std::size_t i) {
    word(i).fetch_xor(other.word(i).load());
    return true;
  });
  changed();
}

void BitSet::assign(const BitSet& other) {
  for_each_word(other, [&](std::size_t i) {
    word(i).store(other.word(i).load());
    return true;
  });
  changed();
}

bool BitSet::intersects(const BitSet& other) const {
  bool common = false;
  for_each_word(other, [&](std::size_t i) {
    common = (word(i).load() & other.word(i).load()) != 0;
    return !common;
  });
  return common;
}

bool BitSet::contains(const BitSet& other) const {
  bool all = true;
  for_each_word(other, [&](std::size_t i) {
    all = (other.word(i).load() & ~word(i).load()) == 0;
    return all;
  });
  return all;
}

bool BitSet::equals(const BitSet& other) const {
  bool same = true;
  for_each_word(other, [&](std::size_t i) {
    same = word(i).load() == other.word(i).load();
    return same;
  });
  return same;
}

std::size_t BitSet::cardinality() const {
  const std::lock_guard lock(cache_mutex_);
  const std::uint64_t version = version_.load();
  if (cardinality_version_ != version) {
    cardinality_ = count_range(0, capacity_);
    cardinality_version_ = version;
  }
  return cardinality_;
}

std::size_t BitSet::length() const {
  const std::lock_guard lock(cache_mutex_);
  const std::uint64_t version = version_.load();
  if (length_version_ != version) {
    length_ = 0;
    for (std::size_t i = words_.size(); i > 0 && length_ == 0; --i) {
      const Word value = word(i - 1).load();
      if (value != 0) length_ = i * kWordBits - static_cast<std::size_t>(std::countl_zero(value));
    }
    length_version_ = version;
  }
  return length_;
}

std::optional<std::size_t> BitSet::next_set(std::size_t from) const {
  for (std::size_t i = from / kWordBits; i < words_.size(); ++i) {
    const Word value = word(i).load() & mask(i, from, capacity_);
    if (value != 0) return i * kWordBits + static_cast<std::size_t>(std::countr_zero(value));
  }
  return std::nullopt;
}

std::optional<std::size_t> BitSet::next_clear(std::size_t from) const {
  for (std::size_t i = from / kWordBits; i < words_.size(); ++i) {
    const Word value = ~word(i).load() & mask(i, from, capacity_);
    if (value != 0) return i * kWordBits + static_cast<std::size_t>(std::countr_zero(value));
  }
  return std::nullopt;
}

std::optional<std::size_t> BitSet::claim(std::size_t from) {
  // Another thread may be faster with the number that looks free; then the next one is tried.
  while (const auto number = next_clear(from)) {
    if (!set(*number)) return number;
  }
  return std::nullopt;
}

std::optional<std::size_t> BitSet::select(std::size_t index) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    Word value = word(i).load();
    const auto count = static_cast<std::size_t>(std::popcount(value));
    if (index >= count) {
      index -= count;
      continue;
    }
    for (; index > 0; --index) value &= value - 1;
    return i * kWordBits + static_cast<std::size_t>(std::countr_zero(value));
  }
  return std::nullopt;
}

void BitSet::for_each(const std::function<void(std::size_t)>& visit) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (Word value = word(i).load(); value != 0; value &= value - 1) {
      visit(i * kWordBits + static_cast<std::size_t>(std::countr_zero(value)));
    }
  }
}

std::vector<std::size_t> BitSet::numbers() const {
  std::vector<std::size_t> result;
  for_each([&](std::size_t number) { result.push_back(number); });
  return result;
}

std::size_t BitSet::hash() const {
  std::size_t result = 1234;
  for (std::size_t i = 0; i < words_.size(); ++i) result = (result ^ word(i).load()) * 0x9E3779B97F4A7C15ULL;
  return result;
}

}  // namespace bits
