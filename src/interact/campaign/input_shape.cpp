#include "interact/campaign/input_shape.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "execute/shell_words.h"
#include "interact/campaign/seeds.h"

namespace heddle::interact {
namespace {

using concolic::ProgramInput;

constexpr uint32_t kMostFreeArguments = 6;
constexpr uint32_t kLongestFreeArgument = 16;
constexpr uint32_t kDefaultStandardInput = 16;

std::optional<uint32_t> number(std::string_view text, uint32_t most) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most) return {};
  return value;
}

struct TemplateWord {
  std::string fixed;
  uint32_t free = 0;
  bool is_optional = false;
};

// `@N` at the end is what may be chosen.
Expected<TemplateWord> parse_word(std::string word) {
  TemplateWord parsed;
  if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
    parsed.is_optional = true;
    word = word.substr(1, word.size() - 2);
  }
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '@') {
      parsed.fixed += word[i];
    } else if (i + 1 < word.size() && word[i + 1] == '@') {
      parsed.fixed += '@';
      ++i;
    } else {
      const std::optional<uint32_t> longest = number(std::string_view(word).substr(i + 1), 4096);
      if (!longest || *longest == 0) {
        return usage_error(
            fmt::format("`{}` in --args is no word of a template: @ is followed by how many bytes may be "
                        "chosen, and nothing else, as in --width=@4; @@ is an @",
                        word));
      }
      parsed.free = *longest;
      break;
    }
  }
  return parsed;
}

// What an argument begins with has little to do with what it becomes.
std::string first_content(uint32_t longest) {
  return longest == 0 ? "" : "0";
}

Expected<void> use_template(const std::string& text, InputShape* shape) {
  ProgramInput seed, shortest;
  concolic::InputLimits& limits = shape->limits;
  limits.least_arguments = 0;
  if (const char quote = open_quote(text))
    return usage_error(fmt::format("a quote ({}) in --args is not closed: {}", quote, text));
  for (const std::string& word : split_words(text)) {
    const Expected<TemplateWord> parsed = parse_word(word);
    if (!parsed) return tl::unexpected(parsed.error());
    const auto fixed = static_cast<uint32_t>(parsed->fixed.size());
    if (!parsed->is_optional && limits.least_arguments < limits.arguments.size())
      return usage_error(fmt::format(
          "`{}` in --args stands behind a word that may be left out: only the last ones may", word));
    limits.arguments.push_back({fixed, fixed + parsed->free});
    if (!parsed->is_optional) ++limits.least_arguments;
    seed.arguments.push_back(parsed->fixed + first_content(parsed->free));
    shortest.arguments.push_back(parsed->fixed);
  }
  limits.most_arguments = static_cast<uint32_t>(limits.arguments.size());
  limits.has_fixed_count = limits.least_arguments == limits.most_arguments;
  if (!limits.has_fixed_count) shape->symbolic |= concolic::symbolic::kArgumentCount;
  shape->seeds.push_back(seed);
  shortest.arguments.resize(limits.least_arguments);
  if (shortest != seed) shape->seeds.push_back(shortest);
  return {};
}

Expected<void> use_file(const std::string& request, InputShape* shape) {
  const size_t colon = request.rfind(':');
  const std::optional<uint32_t> size = colon == std::string::npos
                                           ? std::nullopt
                                           : number(std::string_view(request).substr(colon + 1), 1U << 20);
  if (!size || colon == 0)
    return usage_error(
        fmt::format("--file {}: wanted is NAME:N, the file's name and its most bytes", request));
  shape->file_name = request.substr(0, colon);
  if (shape->file_name.find('/') != std::string::npos || shape->file_name == "." || shape->file_name == "..")
    return usage_error(
        fmt::format("--file {}: the file is in the folder that the program runs in, so its name has "
                    "no /",
                    request));
  shape->file = *size;
  return {};
}

// Of an argument that has a limit: what it begins with.
std::string fixed_text(const InputShape& shape, size_t argument) {
  return shape.seeds.front().arguments[argument].substr(0, shape.limits.arguments[argument].fixed_prefix);
}

}  // namespace

Expected<InputShape> make_shape(const ShapeRequest& request, const OptionWords& words) {
  InputShape shape;
  if (request.arguments) {
    if (const Expected<void> used = use_template(*request.arguments, &shape); !used)
      return tl::unexpected(used.error());
  } else {
    shape.limits.most_arguments = kMostFreeArguments;
    shape.limits.longest_argument = kLongestFreeArgument;
    for (const size_t arguments : {0, 1, 2})
      shape.seeds.push_back({.arguments = std::vector<std::string>(arguments, "0")});
    shape.symbolic |= concolic::symbolic::kArgumentCount;
  }
  shape.symbolic |= concolic::symbolic::kArguments;
  // A program whose command line is fixed and that gets no file can only be told something by this.
  shape.standard_input = request.standard_input.value_or(kDefaultStandardInput);
  shape.limits.longest_standard_input = shape.standard_input;
  if (shape.standard_input > 0) shape.symbolic |= concolic::symbolic::kStandardInput;
  if (!request.file.empty()) {
    if (const Expected<void> used = use_file(request.file, &shape); !used)
      return tl::unexpected(used.error());
    shape.limits.longest_file = shape.file;
    if (shape.file > 0) shape.symbolic |= concolic::symbolic::kFile;
  }
  add_seeds(words, &shape);
  return shape;
}

bool fits(const ProgramInput& input, const InputShape& shape) {
  const concolic::InputLimits& limits = shape.limits;
  if (input.standard_input.size() > limits.longest_standard_input || input.file.size() > limits.longest_file)
    return false;
  if (input.arguments.size() > limits.most_arguments || input.arguments.size() < limits.least_arguments)
    return false;
  for (size_t i = 0; i < input.arguments.size(); ++i) {
    const std::string& argument = input.arguments[i];
    if (i >= limits.arguments.size()) {
      if (argument.size() > limits.longest_argument) return false;
    } else if (argument.size() > limits.arguments[i].longest || !argument.starts_with(fixed_text(shape, i))) {
      return false;
    }
  }
  return true;
}

std::string describe_shape(const InputShape& shape) {
  std::string text;
  if (shape.limits.arguments.empty() && !shape.limits.has_fixed_count) {
    text = fmt::format("up to {} arguments", shape.limits.most_arguments);
  } else {
    std::vector<std::string> words;
    for (size_t i = 0; i < shape.limits.arguments.size(); ++i) {
      const concolic::ArgumentLimit& limit = shape.limits.arguments[i];
      std::string word = shell_line({fixed_text(shape, i)});
      if (limit.longest > limit.fixed_prefix) {
        if (limit.fixed_prefix == 0) word.clear();
        word += fmt::format("@{}", limit.longest - limit.fixed_prefix);
      }
      words.push_back(i < shape.limits.least_arguments ? word : "[" + word + "]");
    }
    text = words.empty() ? "no arguments" : fmt::format("{}", fmt::join(words, " "));
  }
  if (shape.standard_input > 0)
    text += fmt::format(", up to {} bytes of standard input", shape.standard_input);
  if (!shape.file_name.empty()) text += fmt::format(", {} of up to {} bytes", shape.file_name, shape.file);
  return text;
}

}  // namespace heddle::interact
