// What tells two versions of a file apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace heddle {

// Of all its bytes. Nothing if it cannot be read.
std::optional<uint64_t> hash_of_file(const std::filesystem::path& path);

// The build-id of a program or library, or if it has none, a hash of the file. Nothing if it is neither.
std::optional<std::string> binary_identity(const std::filesystem::path& path);

}  // namespace heddle
