#include "interact/fuzz/mutation.h"

#include <algorithm>
#include <utility>

namespace heddle::fuzz {
namespace {

using concolic::ProgramInput;
using Arguments = std::vector<std::string>;

constexpr size_t kMostChanges = 8;

std::ptrdiff_t at(size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

}  // namespace

// Mostly one or two changes: what is there is there for a reason.
ProgramInput Mutation::mutate(const ProgramInput& input, const ProgramInput& other) {
  ProgramInput result = input;
  size_t changes = 1;
  while (changes < kMostChanges && random_.one_in(2)) ++changes;
  for (; changes > 0; --changes) change_once(&result, other);
  room_.fit(&result);
  return result;
}

void Mutation::change_once(ProgramInput* input, const ProgramInput& other) {
  const bool has_open_count = room_.limits.least_arguments < room_.limits.most_arguments;
  switch (random_.below(10)) {
    case 0:
    case 1:
      if (has_open_count || input->arguments.size() > 1) return change_arguments(&input->arguments, other);
      break;
    case 2:
      return recombine(input, other);
    default:
      break;
  }
  change_text(input, other);
}

bool Mutation::has_room(const ProgramInput& input, size_t text) const {
  if (text < input.arguments.size()) return room_.longest(text) > room_.begin_of(text);
  return (text == input.arguments.size() ? room_.limits.longest_standard_input : room_.limits.longest_file) >
         0;
}

void Mutation::change_text(ProgramInput* input, const ProgramInput& other) {
  const size_t count = texts_of(*input);
  size_t text = random_.below(count);
  for (size_t tried = 0; tried < count && !has_room(*input, text); ++tried) text = (text + 1) % count;
  if (!has_room(*input, text)) return;
  const bool is_argument = text < input->arguments.size();
  const size_t longest = is_argument                       ? room_.longest(text)
                         : text == input->arguments.size() ? room_.limits.longest_standard_input
                                                           : room_.limits.longest_file;
  const size_t begin = is_argument ? room_.begin_of(text) : 0;
  std::string& chosen = text_of(*input, text);
  if (chosen.size() < begin) return;
  const std::string donor = random_.one_in(2) ? text_of(*input, random_.below(count))
                                              : text_of(other, random_.below(texts_of(other)));
  texts_.change({&chosen, begin, longest, !is_argument}, donor);
}

std::string Mutation::new_argument(const Arguments& arguments, const ProgramInput& other) {
  switch (random_.below(6)) {
    case 0:
    case 1:
      if (!dictionary_.words().empty()) return dictionary_.word(random_);
      break;
    case 2:
      if (!other.arguments.empty()) return other.arguments[random_.below(other.arguments.size())];
      break;
    case 3:
      if (!arguments.empty()) return arguments[random_.below(arguments.size())];
      break;
    case 4:
      return dictionary_.number(random_);
    default:
      break;
  }
  return std::string(1, static_cast<char>('0' + random_.below(10)));
}

void Mutation::change_arguments(Arguments* arguments, const ProgramInput& other) {
  const size_t count = arguments->size();
  const size_t one = random_.below(count);
  switch (count == 0 ? 0 : random_.below(6)) {
    case 0:
    case 1:
      arguments->insert(arguments->begin() + at(random_.below(count + 1)), new_argument(*arguments, other));
      return;
    case 2:
      arguments->erase(arguments->begin() + at(one));
      return;
    case 3:
      std::swap((*arguments)[one], (*arguments)[random_.below(count)]);
      return;
    case 4:
      (*arguments)[one] = new_argument(*arguments, other);
      return;
    default:
      split_or_join(arguments);
  }
}

// "--width=5" and "--width" "5", "-w5" and "-w" "5", "-a" "-b" and "-ab".
void Mutation::split_or_join(Arguments* arguments) {
  const size_t one = random_.below(arguments->size());
  std::string& argument = (*arguments)[one];
  if (random_.one_in(2)) {
    const size_t sign = argument.find('=');
    const size_t cut = sign != std::string::npos ? sign : std::min<size_t>(2, argument.size());
    if (cut == 0 || cut >= argument.size()) return;
    std::string rest = argument.substr(cut + (sign != std::string::npos ? 1 : 0));
    argument.resize(cut);
    arguments->insert(arguments->begin() + at(one + 1), std::move(rest));
    return;
  }
  if (one + 1 >= arguments->size()) return;
  std::string next = (*arguments)[one + 1];
  if (argument.starts_with("--") && random_.one_in(2)) {
    argument += "=";
  } else if (argument.starts_with("-") && next.starts_with("-") && next.size() > 1 && next[1] != '-') {
    next.erase(0, 1);
  }
  argument += next;
  arguments->erase(arguments->begin() + at(one + 1));
}

void Mutation::recombine(ProgramInput* input, const ProgramInput& other) {
  switch (random_.below(3)) {
    case 0:
      input->standard_input = other.standard_input;
      input->file = other.file;
      return;
    case 1: {
      // The beginning of one and the end of the other.
      const size_t kept = random_.below(input->arguments.size() + 1);
      const size_t taken = random_.below(other.arguments.size() + 1);
      input->arguments.resize(kept);
      input->arguments.insert(input->arguments.end(), other.arguments.begin() + at(taken),
                              other.arguments.end());
      return;
    }
    default: {
      const size_t place = random_.below(std::min(input->arguments.size(), other.arguments.size()));
      if (place < input->arguments.size() && place < other.arguments.size())
        input->arguments[place] = other.arguments[place];
    }
  }
}

}  // namespace heddle::fuzz
