#include "history/program_content.h"

#include <string.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "execute/binary.h"
#include "execute/elf_file.h"
#include "execute/runtime_location.h"
#include "history/file_content.h"
#include "trace/hash.h"
#include "trace/input_file.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = uint64_t{16} << 30;

// As long as it was, so that nothing moves.
void blank_out(std::string* bytes, std::string_view text) {
  if (text.empty()) return;
  size_t at = 0;
  while (const void* found = ::memmem(bytes->data() + at, bytes->size() - at, text.data(), text.size())) {
    at = static_cast<size_t>(static_cast<const char*>(found) - bytes->data());
    std::fill_n(bytes->begin() + static_cast<std::ptrdiff_t>(at), text.size(), '\0');
    at += text.size();
  }
}

// From "0a1b…".
std::string bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

}  // namespace

Expected<uint64_t> ProgramContents::file(const std::string& path) {
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  Expected<trace::InputFile> input = trace::InputFile::open(path);
  if (!input) return tl::unexpected(input.error());
  Expected<std::string> bytes = input->read_all(kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!home_.empty()) {
    blank_out(&*bytes, home_.string());
    // It is a hash of all the rest, the folder included.
    if (const Expected<ElfFile> elf = ElfFile::open(path)) blank_out(&*bytes, bytes_of_hex(elf->build_id()));
  }
  return files_[path] = trace::fnv1a(*bytes);
}

Expected<uint64_t> ProgramContents::of(const std::string& program) {
  if (const auto known = programs_.find(program); known != programs_.end()) return known->second;
  const Expected<BinaryInfo> binary = inspect_binary(program);
  if (!binary) return tl::unexpected(binary.error());
  std::vector<std::string> paths = binary->project_libraries;
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return fs::path(a).filename() < fs::path(b).filename();
  });
  paths.insert(paths.begin(), binary->path);
  uint64_t content = trace::fnv1a("program");
  for (const std::string& path : paths) {
    const Expected<uint64_t> hash = file(path);
    if (!hash) return hash;
    content = trace::fnv1a(fmt::format("{} {:016x}\n", fs::path(path).filename().string(), *hash), content);
  }
  // It decides what an execution does.
  if (const Expected<std::string> runtime = find_runtime())
    content = trace::fnv1a(binary_identity(fs::path(*runtime) / "libheddle_rt.so").value_or(""), content);
  return programs_[program] = content;
}

}  // namespace heddle
