#include "interact/concolic/program_input.h"

#include <algorithm>

namespace heddle::concolic {
namespace {

void set_byte_of(std::string& text, uint32_t offset, uint64_t value) {
  if (offset < text.size()) text[offset] = static_cast<char>(value);
}

// Sizes first: they make room for bytes.
void set_sizes(ProgramInput& input, const Assignment& values, const InputLimits& limits) {
  const auto resized = [&](std::string& text, uint64_t size) {
    text.resize(std::min<uint64_t>(size, limits.longest_file), limits.grows_with);
  };
  for (const auto& [place, value] : values) {
    switch (source_kind(place.source)) {
      case SourceKind::kArgumentCount:
        input.arguments.resize(std::min<uint64_t>(std::max<uint64_t>(value, 1) - 1, limits.most_arguments));
        break;
      case SourceKind::kStandardInputSize:
        resized(input.standard_input, value);
        break;
      case SourceKind::kFileSize:
        resized(input.file, value);
        break;
      default:
        break;
    }
  }
}

}  // namespace

ProgramInput with_values(const ProgramInput& input, const Assignment& values, const InputLimits& limits) {
  ProgramInput result = input;
  set_sizes(result, values, limits);
  for (const auto& [place, value] : values) {
    const uint32_t index = source_index(place.source);
    switch (source_kind(place.source)) {
      case SourceKind::kArgument: {
        if (index == 0 || index > result.arguments.size()) break;
        std::string& argument = result.arguments[index - 1];
        if (place.offset >= argument.size()) argument.resize(place.offset + 1, '\0');
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
