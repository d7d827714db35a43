#include "interact/search/first_inputs.h"

#include <algorithm>
#include <string>

namespace heddle::interact {

using concolic::ArgumentLimit;
using concolic::InputLimits;
using concolic::ProgramInput;

namespace {

bool is_any_fixed(const InputLimits& limits) {
  return std::ranges::any_of(limits.arguments,
                             [](const ArgumentLimit& limit) { return limit.fixed_prefix > 0; });
}

// As many digits as the largest number of 64 bits has, nearly.
constexpr size_t kStretch = 16;

bool stretch_text(const std::string& before, std::string& solved, size_t longest, char filler) {
  const size_t size = std::min(solved.size() + kStretch, longest);
  if (solved.size() <= before.size() || size <= solved.size()) return false;
  solved.resize(size, filler);
  return true;
}

}  // namespace

std::vector<ProgramInput> with_more_arguments(const ProgramInput& input, const InputLimits& limits,
                                              uint32_t symbolic) {
  std::vector<ProgramInput> longer;
  if (limits.has_fixed_count || (symbolic & concolic::symbolic::kArgumentCount) == 0) return longer;
  ProgramInput next = input;
  while (next.arguments.size() < limits.most_arguments) {
    next.arguments.emplace_back(1, limits.grows_with);
    longer.push_back(next);
  }
  return longer;
}

std::optional<ProgramInput> stretched_input(const ProgramInput& before, const ProgramInput& solved,
                                            const InputLimits& limits) {
  ProgramInput longer = solved;
  bool is_longer = stretch_text(before.standard_input, longer.standard_input, limits.longest_standard_input,
                                limits.grows_with);
  is_longer |= stretch_text(before.file, longer.file, limits.longest_file, limits.grows_with);
  for (size_t i = 0; i < longer.arguments.size(); ++i) {
    const size_t longest =
        i < limits.arguments.size() ? limits.arguments[i].longest : limits.longest_argument;
    const bool is_new = i >= before.arguments.size();
    is_longer |= stretch_text(is_new ? std::string() : before.arguments[i], longer.arguments[i], longest,
                              limits.grows_with);
  }
  return is_longer ? std::optional(std::move(longer)) : std::nullopt;
}

Expected<std::vector<ProgramInput>> first_inputs(const InputLimits& limits, uint32_t symbolic) {
  if (is_any_fixed(limits))
    return usage_error(
        "The search needs an input to begin with, since parts of the arguments are fixed and only an input "
        "tells what they are.");
  ProgramInput empty, filled;
  const bool has_arguments = (symbolic & concolic::symbolic::kArguments) != 0;
  const bool is_count_open = !limits.has_fixed_count && (symbolic & concolic::symbolic::kArgumentCount) != 0;
  if (limits.has_fixed_count) {
    empty.arguments.resize(limits.arguments.size());
    for (const ArgumentLimit& limit : limits.arguments)
      filled.arguments.emplace_back(std::min<uint32_t>(limit.longest, 1), '0');
  } else if (has_arguments && limits.most_arguments > 0) {
    // Where their number stays what it is, none would never become one.
    const size_t least = std::max(limits.least_arguments, is_count_open ? 0u : 1u);
    empty.arguments.resize(least);
    filled.arguments.assign(std::max<size_t>(least, 1), "0");
  }
  if ((symbolic & concolic::symbolic::kStandardInput) != 0)
    filled.standard_input = std::string("0\n").substr(0, limits.longest_standard_input);
  if ((symbolic & concolic::symbolic::kFile) != 0)
    filled.file = std::string("0\n").substr(0, limits.longest_file);
  std::vector<ProgramInput> inputs = {empty};
  if (filled != empty) inputs.push_back(filled);
  return inputs;
}

}  // namespace heddle::interact
