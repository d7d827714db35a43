// Command lines of gcc and clang, as far as one must know them to tell their words apart.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// Whether the option's value is the next word.
bool takes_next_word(std::string_view option);

// With the words of response files (@file) in their place; relative ones are looked for in `directory`.
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments,
                                               const std::filesystem::path& directory);

}  // namespace heddle
