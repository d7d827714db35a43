// OptionWords: what the text of a program says of its command line: the option letters and long options that
// it gives to getopt(), and the string constants that look like options or keywords.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::interact {

struct OptionWords {
  enum class Value { kFlag, kWanted, kOptional };
  struct Letter {
    char letter;
    Value value;
    auto operator<=>(const Letter&) const = default;
  };
  struct Long {
    std::string name;
    Value value;
    auto operator<=>(const Long&) const = default;
  };
  std::set<Letter> letters;        // of getopt's table
  std::set<Long> longs;            // of getopt_long's
  std::set<std::string> dashed;    // other constants that begin with "-": "-n", "--width="
  std::set<std::string> keywords;  // other short constants without blanks that are compared with something

  bool empty() const { return letters.empty() && longs.empty() && dashed.empty() && keywords.empty(); }
};

// Adds what the text of one source file says.
void add_option_words(std::string_view source, OptionWords* words);

}  // namespace heddle::interact
