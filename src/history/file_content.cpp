#include "history/file_content.h"

#include <fstream>

#include <fmt/format.h>

#include "execute/elf_file.h"
#include "trace/hash.h"

namespace heddle {

std::optional<uint64_t> hash_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  uint64_t hash = trace::kFnvBasis;
  char buffer[1 << 14];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0)
    hash = trace::fnv1a(buffer, static_cast<size_t>(file.gcount()), hash);
  if (!file.eof()) return std::nullopt;
  return hash;
}

std::optional<std::string> binary_identity(const std::filesystem::path& path) {
  const Expected<ElfFile> elf = ElfFile::open(path.string());
  if (!elf) return std::nullopt;
  std::string id = elf->build_id();
  if (!id.empty()) return id;
  const std::optional<uint64_t> hash = hash_of_file(path);
  if (!hash) return std::nullopt;
  return fmt::format("content {:016x}", *hash);
}

}  // namespace heddle
