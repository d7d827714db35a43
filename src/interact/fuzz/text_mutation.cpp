#include "interact/fuzz/text_mutation.h"

#include <algorithm>
#include <charconv>

namespace heddle::fuzz {
namespace {

constexpr size_t kMostDigits = 21;  // of a number that is made up: more than fit into 64 bits
constexpr std::string_view kUsualBytes = "0123456789abcxyzABZ \t\n-+=,.:;/*%&|()[]{}<>!?#@_'\"\\^$~";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::vector<NumberPlace> numbers_in(std::string_view text, size_t begin) {
  std::vector<NumberPlace> places;
  for (size_t i = begin; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    places.push_back({i, end - i});
    i = end;
  }
  return places;
}

void TextMutation::replace(const TextPart& part, size_t at, size_t size, std::string_view by) const {
  part.text->replace(at, size, by);
  if (part.text->size() > part.longest) part.text->resize(part.longest);
}

char TextMutation::new_byte(const TextPart& part) {
  if (!random_.one_in(8)) return kUsualBytes[random_.below(kUsualBytes.size())];
  const auto byte = static_cast<char>(random_.below(256));
  return byte == 0 && !part.has_nul ? '0' : byte;
}

void TextMutation::change(const TextPart& part, std::string_view donor) {
  switch (random_.below(8)) {
    case 0:
    case 1:
      if (change_number(part, donor)) return;
      break;
    case 2:
    case 3:
      if (!dictionary_.words().empty()) return put_word(part, dictionary_.word(random_));
      break;
    case 4:
      return repeat_or_move(part);
    case 5:
      if (!donor.empty()) return put_word(part, piece_of(donor));
      break;
    case 6:
      if (change_lines(part)) return;
      break;
    default:
      break;
  }
  change_bytes(part);
}

void TextMutation::change_bytes(const TextPart& part) {
  std::string& text = *part.text;
  const size_t free = text.size() - part.begin;
  const size_t at = part.begin + random_.below(free);
  switch (free == 0 ? 0 : random_.below(5)) {
    case 0:
    case 1: {
      const char byte = new_byte(part);
      return replace(part, part.begin + random_.below(free + 1), 0, {&byte, 1});
    }
    case 2:
      text[at] = new_byte(part);
      return;
    case 3:
      text.erase(at, 1 + random_.below(std::min<size_t>(text.size() - at, random_.one_in(3) ? 16 : 1)));
      return;
    default: {
      // Its neighbours: the next letter, the other case, the other end of a range.
      const char steps[] = {1, -1, 0x20, -0x20};
      const auto byte = static_cast<char>(text[at] + steps[random_.below(4)]);
      if (byte != 0 || part.has_nul) text[at] = byte;
    }
  }
}

std::string TextMutation::changed_number(std::string_view digits, std::string_view donor) {
  switch (random_.below(8)) {
    case 0:
    case 1:
      return dictionary_.number(random_);
    case 2: {
      uint64_t value = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
      const uint64_t step = random_.one_in(3) ? random_.below(32) : 1;
      return std::to_string(random_.one_in(2) ? value + step : value - std::min(value, step));
    }
    case 3: {
      std::string made(1, static_cast<char>('1' + random_.below(9)));
      const bool is_round = random_.one_in(2);
      for (size_t more = random_.below(kMostDigits); more > 0; --more)
        made += is_round ? '0' : static_cast<char>('0' + random_.below(10));
      return made;
    }
    case 4:
      return "0" + std::string(digits);
    case 5: {
      const std::vector<NumberPlace> others = numbers_in(donor);
      if (others.empty()) return std::string(digits) + "0";
      const NumberPlace other = others[random_.below(others.size())];
      return std::string(donor.substr(other.at, other.size));
    }
    case 6:
      return std::string(digits) + static_cast<char>('0' + random_.below(10));
    default:
      return std::to_string(random_.below(random_.one_in(2) ? 10 : 100));
  }
}

bool TextMutation::change_number(const TextPart& part, std::string_view donor) {
  const std::vector<NumberPlace> places = numbers_in(*part.text, part.begin);
  if (places.empty()) return false;
  const NumberPlace place = places[random_.below(places.size())];
  // Another number of the same text is as good as one from elsewhere.
  const std::string own = random_.one_in(2) ? std::string(*part.text) : std::string(donor);
  replace(part, place.at, place.size,
          changed_number(std::string_view(*part.text).substr(place.at, place.size), own));
  return true;
}

// In place of what is there, of a part of it, or between.
void TextMutation::put_word(const TextPart& part, std::string_view word) {
  const size_t free = part.text->size() - part.begin;
  const std::string copy(word);
  if (!part.has_nul && copy.find('\0') != std::string::npos) return;
  const size_t at = part.begin + random_.below(free + 1);
  switch (random_.below(4)) {
    case 0:
      return replace(part, part.begin, free, copy);
    case 1:
      return replace(part, at, std::min(copy.size(), part.text->size() - at), copy);
    case 2:
      return replace(part, part.text->size(), 0, copy);
    default:
      return replace(part, at, 0, copy);
  }
}

std::string_view TextMutation::piece_of(std::string_view donor) {
  const size_t at = random_.below(donor.size());
  return donor.substr(at, 1 + random_.below(donor.size() - at));
}

void TextMutation::repeat_or_move(const TextPart& part) {
  const size_t free = part.text->size() - part.begin;
  if (free == 0) return change_bytes(part);
  const size_t at = part.begin + random_.below(free);
  const std::string piece =
      part.text->substr(at, 1 + random_.below(std::min<size_t>(part.text->size() - at, 16)));
  if (random_.one_in(3)) part.text->erase(at, piece.size());
  const size_t to = part.begin + random_.below(part.text->size() - part.begin + 1);
  replace(part, random_.one_in(2) ? std::min(at + piece.size(), part.text->size()) : to, 0, piece);
}

// Leaves one out, repeats one, or exchanges two; of a text of one line nothing.
bool TextMutation::change_lines(const TextPart& part) {
  std::vector<std::string> lines;
  const std::string& text = *part.text;
  for (size_t at = part.begin; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  if (lines.size() < 2) return false;
  const size_t one = random_.below(lines.size());
  const size_t other = random_.below(lines.size());
  switch (random_.below(3)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(one));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(other), std::string(lines[one]));
      break;
    default:
      std::swap(lines[one], lines[other]);
  }
  std::string joined;
  for (const std::string& line : lines) joined += line;
  replace(part, part.begin, std::string::npos, joined);
  return true;
}

}  // namespace heddle::fuzz
