#include "interact/concolic/program_input.h"

#include <algorithm>

namespace heddle::concolic {
namespace {

void set_byte_of(std::string& text, uint32_t offset, uint64_t value) {
  if (offset < text.size()) text[offset] = static_cast<char>(value);
}

// Sizes first: they make room for bytes.
void set_sizes(ProgramInput& input, const Assignment& values, const InputLimits& limits) {
  const auto resized = [&](std::string& text, uint64_t size, uint32_t longest) {
    text.resize(std::min<uint64_t>(size, longest), limits.grows_with);
  };
  for (const auto& [place, value] : values) {
    if (is_fixed(place, limits)) continue;
    switch (source_kind(place.source)) {
      case SourceKind::kArgumentCount:
        input.arguments.resize(std::clamp<uint64_t>(std::max<uint64_t>(value, 1) - 1, limits.least_arguments,
                                                    std::max(limits.least_arguments, limits.most_arguments)));
        break;
      case SourceKind::kStandardInputSize:
        resized(input.standard_input, value, limits.longest_standard_input);
        break;
      case SourceKind::kFileSize:
        resized(input.file, value, limits.longest_file);
        break;
      default:
        break;
    }
  }
}

}  // namespace

bool is_fixed(const InputPlace& place, const InputLimits& limits) {
  switch (source_kind(place.source)) {
    case SourceKind::kArgument: {
      const uint32_t index = source_index(place.source);
      if (index == 0) return true;  // the program's name
      if (index > limits.arguments.size()) return place.offset >= limits.longest_argument;
      const ArgumentLimit& limit = limits.arguments[index - 1];
      return place.offset < limit.fixed_prefix || place.offset >= limit.longest;
    }
    case SourceKind::kArgumentCount:
      return limits.has_fixed_count;
    case SourceKind::kStandardInput:
      return place.offset >= limits.longest_standard_input;
    case SourceKind::kStandardInputSize:
      return limits.longest_standard_input == 0;
    case SourceKind::kFile:
      return place.offset >= limits.longest_file;
    case SourceKind::kFileSize:
      return limits.longest_file == 0;
  }
  return true;
}

ProgramInput with_values(const ProgramInput& input, const Assignment& values, const InputLimits& limits) {
  ProgramInput result = input;
  set_sizes(result, values, limits);
  for (const auto& [place, value] : values) {
    if (is_fixed(place, limits)) continue;
    const uint32_t index = source_index(place.source);
    switch (source_kind(place.source)) {
      case SourceKind::kArgument: {
        if (index > result.arguments.size()) break;
        std::string& argument = result.arguments[index - 1];
        if (place.offset >= argument.size()) {
          if (value == 0 && place.offset > argument.size()) break;  // it may as well end before
          argument.resize(place.offset, limits.grows_with);
          argument.push_back('\0');
        }
        argument[place.offset] = static_cast<char>(value);
        break;
      }
      case SourceKind::kStandardInput:
        set_byte_of(result.standard_input, place.offset, value);
        break;
      case SourceKind::kFile:
        set_byte_of(result.file, place.offset, value);
        break;
      default:
        break;
    }
  }
  for (std::string& argument : result.arguments)
    argument.resize(std::min(argument.find('\0'), argument.size()));
  return result;
}

}  // namespace heddle::concolic
