// Dictionary: words and numbers that a program may look for in its input: of its source, of a user's file,
// and those that it was seen comparing something with.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interact/fuzz/random.h"
#include "support/error.h"

namespace heddle::fuzz {

class Dictionary {
 public:
  Dictionary();

  void add_word(std::string_view word);
  // With those beside it.
  void add_number(int64_t number);

  // "" if there is no word.
  const std::string& word(Random& random) const;
  // As decimal text.
  const std::string& number(Random& random) const { return numbers_[random.below(numbers_.size())]; }

  const std::vector<std::string>& words() const { return words_; }

 private:
  void add_number_text(std::string text);

  std::vector<std::string> words_;
  std::set<std::string, std::less<>> known_words_;
  std::vector<std::string> numbers_;
  std::set<std::string> known_numbers_;
};

// The words of a file as other fuzzers have them: a line each, `"text"` or `name="text"`, in which \\, \" and
// \x4a stand for bytes; lines that begin with # say nothing. An error names the line.
Expected<std::vector<std::string>> parse_dictionary(std::string_view text);

}  // namespace heddle::fuzz
