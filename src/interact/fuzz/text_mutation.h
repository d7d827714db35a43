// Changes of one text of an input: bytes, numbers as wholes, words.
#pragma once

#include <string>
#include <string_view>

#include "interact/fuzz/dictionary.h"
#include "interact/fuzz/random.h"

namespace heddle::fuzz {

// The part of a text that may be changed.
struct TextPart {
  std::string* text;
  size_t begin;    // what stands before stays
  size_t longest;  // of the text
  bool has_nul;    // zero bytes may be in it
};

class TextMutation {
 public:
  TextMutation(Random& random, const Dictionary& dictionary) : random_(random), dictionary_(dictionary) {}

  // One change. `donor`: a text to take parts from.
  void change(const TextPart& part, std::string_view donor);

 private:
  void change_bytes(const TextPart& part);
  bool change_number(const TextPart& part, std::string_view donor);
  void put_word(const TextPart& part, std::string_view word);
  void repeat_or_move(const TextPart& part);
  bool change_lines(const TextPart& part);
  std::string changed_number(std::string_view digits, std::string_view donor);
  char new_byte(const TextPart& part);
  std::string_view piece_of(std::string_view donor);
  void replace(const TextPart& part, size_t at, size_t size, std::string_view by) const;

  Random& random_;
  const Dictionary& dictionary_;
};

// The decimal numbers in a text from `begin` on: where, and how long.
struct NumberPlace {
  size_t at;
  size_t size;
};
std::vector<NumberPlace> numbers_in(std::string_view text, size_t begin = 0);

}  // namespace heddle::fuzz
