#include "interact/fuzz/replacement.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace heddle::fuzz {
namespace {

using concolic::ProgramInput;

// Of the same operand in a text: what is further behind is mostly of a loop.
constexpr size_t kMostPlaces = 4;
// Numbers below are lengths, counters and characters.
constexpr int64_t kLeastNumber = 16;

int64_t extended(uint64_t value, uint32_t size) {
  const unsigned shift = 64 - 8 * std::min<uint32_t>(size, 8);
  return static_cast<int64_t>(value << shift) >> shift;
}

std::string bytes_of(uint64_t value, uint32_t size, bool is_big_endian) {
  std::string bytes;
  for (uint32_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i);
  if (is_big_endian) std::ranges::reverse(bytes);
  return bytes;
}

bool is_in(const ProgramInput& input, std::string_view word) {
  for (size_t text = 0; text < texts_of(input); ++text)
    if (text_of(input, text).find(word) != std::string::npos) return true;
  return false;
}

class Replacer {
 public:
  Replacer(const ProgramInput& input, const InputRoom& room) : input_(input), room_(room) {
    known_.insert(hash_of(input));
  }

  void add(const HeddleFastCompare& compare) {
    if (compare.left == compare.right || compare.size == 0 || compare.size > 8) return;
    put_number(compare.right, compare.left, compare.size);
    if (compare.is_constant == 0) put_number(compare.left, compare.right, compare.size);
  }

  void add(const HeddleFastTexts& texts) {
    const std::string_view left(texts.left, texts.left_size), right(texts.right, texts.right_size);
    if (left == right) return;
    put(left, right);
    put(right, left);
  }

  std::vector<ProgramInput> take() { return std::move(made_); }

 private:
  void put_number(uint64_t from, uint64_t to, uint32_t size) {
    const int64_t seen = extended(from, size);
    for (const int64_t step : {0, 1, -1}) {
      const uint64_t wanted = to + static_cast<uint64_t>(step);
      put(std::to_string(seen), std::to_string(extended(wanted, size)));
      const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
      if (seen < 0) put(std::to_string(from & mask), std::to_string(wanted & mask));
      if ((from & mask) > 9) put(fmt::format("{:x}", from & mask), fmt::format("{:x}", wanted & mask));
      if (size > 1) {
        put(bytes_of(from, size, false), bytes_of(wanted, size, false));
        put(bytes_of(from, size, true), bytes_of(wanted, size, true));
      }
    }
    if (seen > 0 && seen < 256 && to > 0 && to < 256) put(bytes_of(from, 1, false), bytes_of(to, 1, false));
  }

  void put(std::string_view from, std::string_view to) {
    if (from.empty() || from == to) return;
    for (size_t text = 0; text < texts_of(input_); ++text) {
      const bool is_argument = text < input_.arguments.size();
      const std::string& bytes = text_of(input_, text);
      size_t at = is_argument ? room_.begin_of(text) : 0;
      for (size_t places = 0; places < kMostPlaces; ++places, ++at) {
        at = bytes.find(from, at);
        if (at == std::string::npos) break;
        ProgramInput replaced = input_;
        text_of(replaced, text).replace(at, from.size(), to);
        if (is_argument && replaced.arguments[text].find('\0') != std::string::npos) continue;
        if (room_.allows(replaced) && known_.insert(hash_of(replaced)).second)
          made_.push_back(std::move(replaced));
      }
    }
  }

  const ProgramInput& input_;
  const InputRoom& room_;
  std::unordered_set<uint64_t> known_;
  std::vector<ProgramInput> made_;
};

// Loops compare the same again and again.
template <typename Do>
void for_each_once(std::span<const HeddleFastCompare> compares, Do does) {
  std::unordered_set<uint64_t> known;
  for (const HeddleFastCompare& compare : compares) {
    const uint64_t key = (compare.left * 0x9e3779b97f4a7c15U ^ compare.right) * 0xbf58476d1ce4e5b9U +
                         compare.size * 2 + compare.is_constant;
    if (known.insert(key).second) does(compare);
  }
}

}  // namespace

std::vector<ProgramInput> replacements(const ProgramInput& input, const Comparisons& comparisons,
                                       const InputRoom& room, size_t most, Random& random) {
  Replacer replacer(input, room);
  for (const HeddleFastTexts& texts : comparisons.texts) replacer.add(texts);
  for_each_once(comparisons.numbers, [&](const HeddleFastCompare& compare) { replacer.add(compare); });
  std::vector<ProgramInput> made = replacer.take();
  for (size_t i = 0; made.size() > most && i < most; ++i)
    std::swap(made[i], made[i + random.below(made.size() - i)]);
  if (made.size() > most) made.resize(most);
  return made;
}

void learn_words(const ProgramInput& input, const Comparisons& comparisons, Dictionary* dictionary) {
  for (const HeddleFastTexts& texts : comparisons.texts) {
    for (const std::string_view side :
         {std::string_view(texts.left, texts.left_size), std::string_view(texts.right, texts.right_size)})
      if (!is_in(input, side)) dictionary->add_word(side);
  }
  for_each_once(comparisons.numbers, [&](const HeddleFastCompare& compare) {
    if (compare.is_constant == 0) return;
    const int64_t constant = extended(compare.left, compare.size);
    if (constant >= kLeastNumber || constant <= -kLeastNumber) dictionary->add_number(constant);
  });
}

}  // namespace heddle::fuzz
