// The whole of a small file that a compiler wrote or reads.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace heddle::program {

// Empty if it cannot be read.
inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace heddle::program
