#include "interact/fuzz/dictionary.h"

#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace heddle::fuzz {
namespace {

constexpr size_t kMostWords = 4096;
constexpr size_t kMostNumbers = 2048;
constexpr size_t kLongestWord = 64;

// Where programs' numbers end: powers of two and of ten.
void add_boundaries(Dictionary* dictionary) {
  for (const unsigned bits : {7U, 8U, 15U, 16U, 31U, 32U, 62U}) {
    dictionary->add_number(int64_t{1} << bits);
    dictionary->add_number(-(int64_t{1} << bits));
  }
  int64_t power = 1;
  for (int digits = 0; digits < 18; ++digits, power *= 10) dictionary->add_number(power);
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    if (text[i] == '\\' || text[i] == '"') {
      result += text[i];
      continue;
    }
    unsigned value = 0;
    if (text[i] != 'x' || i + 2 >= text.size()) return std::nullopt;
    const char* const end = text.data() + i + 3;
    if (std::from_chars(text.data() + i + 1, end, value, 16).ptr != end) return std::nullopt;
    result += static_cast<char>(value);
    i += 2;
  }
  return result;
}

}  // namespace

Dictionary::Dictionary() {
  add_boundaries(this);
  add_number_text(std::to_string(std::numeric_limits<int64_t>::max()));
  add_number_text("9223372036854775808");
  add_number_text("-9223372036854775808");
  add_number_text("18446744073709551615");
  add_number_text("18446744073709551616");
  add_number_text("99999999999999999999");
}

void Dictionary::add_word(std::string_view word) {
  if (word.empty() || word.size() > kLongestWord || words_.size() >= kMostWords) return;
  if (known_words_.emplace(word).second) words_.emplace_back(word);
}

void Dictionary::add_number(int64_t number) {
  if (number != std::numeric_limits<int64_t>::min()) add_number_text(std::to_string(number - 1));
  add_number_text(std::to_string(number));
  if (number != std::numeric_limits<int64_t>::max()) add_number_text(std::to_string(number + 1));
}

void Dictionary::add_number_text(std::string text) {
  if (numbers_.size() >= kMostNumbers || !known_numbers_.insert(text).second) return;
  numbers_.push_back(std::move(text));
}

const std::string& Dictionary::word(Random& random) const {
  static const std::string none;
  return words_.empty() ? none : words_[random.below(words_.size())];
}

Expected<std::vector<std::string>> parse_dictionary(std::string_view text) {
  std::vector<std::string> words;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const size_t open = line.find('"');
    std::optional<std::string> word;
    if (open != std::string_view::npos && line.size() >= open + 2 && line.back() == '"')
      word = unescaped(line.substr(open + 1, line.size() - open - 2));
    if (!word || word->empty())
      return usage_error(
          fmt::format("line {} is no word of a dictionary: wanted is \"text\" or name=\"text\", with \\\\, "
                      "\\\" and \\x4a "
                      "for bytes",
                      number));
    words.push_back(std::move(*word));
  }
  return words;
}

}  // namespace heddle::fuzz
