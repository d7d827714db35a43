#include "interact/campaign/seeds.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::interact {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMostSingles = 100;
constexpr size_t kMostPairs = 150;
constexpr size_t kMostPlaces = 4;  // of a template, that words are tried in

// With a value where one is wanted: a digit is right for numbers and names alike.
Words words_to_try(const OptionWords& words) {
  Words result(words.keywords.begin(), words.keywords.end());
  for (const OptionWords::Letter& letter : words.letters)
    result.push_back(std::string{'-', letter.letter} +
                     (letter.value == OptionWords::Value::kWanted ? "0" : ""));
  for (const OptionWords::Long& name : words.longs)
    result.push_back("--" + name.name + (name.value == OptionWords::Value::kFlag ? "" : "=0"));
  for (const std::string& dashed : words.dashed) result.push_back(dashed + (dashed.back() == '=' ? "0" : ""));
  return result;
}

class SeedMaker {
 public:
  SeedMaker(const OptionWords& words, InputShape* shape)
      : letters_(words.letters), words_(words_to_try(words)), shape_(*shape) {}

  void make() {
    if (shape_.limits.arguments.empty()) {
      make_open();
    } else {
      make_of_template();
    }
  }

 private:
  void add(Words arguments, size_t most) {
    concolic::ProgramInput input;
    input.arguments = std::move(arguments);
    if (added_ >= most || !fits(input, shape_)) return;
    if (std::find(shape_.seeds.begin(), shape_.seeds.end(), input) != shape_.seeds.end()) return;
    shape_.seeds.push_back(std::move(input));
    ++added_;
  }

  void make_open() {
    if (shape_.limits.has_fixed_count) return;  // at none
    for (const std::string& word : words_) {
      add({word, "0"}, kMostSingles);
      add({word}, kMostSingles);
    }
    for (const OptionWords::Letter& letter : letters_)
      if (letter.value == OptionWords::Value::kWanted)
        add({std::string{'-', letter.letter}, "0", "0"}, kMostSingles);
    for (const std::string& first : words_)
      for (const std::string& second : words_)
        if (first != second) add({first, second, "0"}, kMostSingles + kMostPairs);
  }

  // The fixed part of a word stays before what is tried.
  std::string fixed(size_t place) const {
    return shape_.seeds.front().arguments[place].substr(0, shape_.limits.arguments[place].fixed_prefix);
  }

  void make_of_template() {
    const Words usual = shape_.seeds.front().arguments;
    std::vector<size_t> places;
    for (size_t place = 0; place < usual.size() && places.size() < kMostPlaces; ++place)
      if (shape_.limits.arguments[place].longest > shape_.limits.arguments[place].fixed_prefix)
        places.push_back(place);
    for (const size_t place : places)
      for (const std::string& word : words_) add_with(usual, {{place, word}}, kMostSingles);
    for (size_t i = 0; i < places.size(); ++i)
      for (size_t j = i + 1; j < places.size(); ++j)
        for (const std::string& first : words_)
          for (const std::string& second : words_)
            add_with(usual, {{places[i], first}, {places[j], second}}, kMostSingles + kMostPairs);
  }

  // Whole, and without what may be left out behind the last of the words.
  void add_with(Words arguments, const std::vector<std::pair<size_t, std::string>>& chosen, size_t most) {
    for (const auto& [place, word] : chosen) arguments[place] = fixed(place) + word;
    add(arguments, most);
    arguments.resize(chosen.back().first + 1);
    add(std::move(arguments), most);
  }

  const std::set<OptionWords::Letter>& letters_;
  const Words words_;
  InputShape& shape_;
  size_t added_ = 0;
};

}  // namespace

void add_seeds(const OptionWords& words, InputShape* shape) {
  SeedMaker(words, shape).make();
}

}  // namespace heddle::interact
