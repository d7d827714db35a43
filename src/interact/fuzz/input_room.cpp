#include "interact/fuzz/input_room.h"

#include <algorithm>
#include <cstring>

namespace heddle::fuzz {

using concolic::ProgramInput;

bool InputRoom::allows(const ProgramInput& input) const {
  if (input.arguments.size() < limits.least_arguments || input.arguments.size() > limits.most_arguments ||
      input.standard_input.size() > limits.longest_standard_input || input.file.size() > limits.longest_file)
    return false;
  for (size_t i = 0; i < input.arguments.size(); ++i) {
    if (input.arguments[i].size() > longest(i)) return false;
    if (i < fixed.size() && !input.arguments[i].starts_with(fixed[i])) return false;
  }
  return true;
}

void InputRoom::fit(ProgramInput* input) const {
  std::vector<std::string>& arguments = input->arguments;
  if (arguments.size() > limits.most_arguments) arguments.resize(limits.most_arguments);
  while (arguments.size() < limits.least_arguments)
    arguments.push_back(arguments.size() < fixed.size() ? fixed[arguments.size()] : "");
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string& argument = arguments[i];
    if (const size_t end = argument.find('\0'); end != std::string::npos) argument.resize(end);
    if (i < fixed.size() && !argument.starts_with(fixed[i])) argument.insert(0, fixed[i]);
    if (argument.size() > longest(i)) argument.resize(longest(i));
  }
  if (input->standard_input.size() > limits.longest_standard_input)
    input->standard_input.resize(limits.longest_standard_input);
  if (input->file.size() > limits.longest_file) input->file.resize(limits.longest_file);
}

std::string& text_of(ProgramInput& input, size_t text) {
  if (text < input.arguments.size()) return input.arguments[text];
  return text == input.arguments.size() ? input.standard_input : input.file;
}

uint64_t hash_of(const ProgramInput& input) {
  uint64_t hash = input.arguments.size();
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32;
  };
  for (size_t text = 0; text < texts_of(input); ++text) {
    const std::string& bytes = text_of(input, text);
    mix(bytes.size());
    for (size_t i = 0; i < bytes.size(); i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
      mix(word);
    }
  }
  return hash == 0 ? 1 : hash;
}

}  // namespace heddle::fuzz
