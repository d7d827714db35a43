#include "history/program_content.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

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
  while (const void* found = memmem(bytes->data() + at, bytes->size() - at, text.data(), text.size())) {
    at = static_cast<size_t>(static_cast<const char*>(found) - bytes->data());
    std::fill_n(bytes->begin() + static_cast<std::ptrdiff_t>(at), text.size(), '\0');
    at += text.size();
  }
}

// Compilers copy short texts by loading eight bytes of them at a time, so that a path comes in pieces, which
// need not begin where it does. Of slots of one store, the last characters of the name of the folder differ:
// the pieces that these are in are those of the folder and what follows in it.
void blank_out_pieces(std::string* bytes, const std::string& home) {
  constexpr size_t kPiece = 8;
  for (const char* inside : {"/source/", "/build/"}) {
    const std::string path = home + inside;
    const size_t last = home.size() - 1;
    for (size_t begin = last - std::min(last, kPiece - 1); begin <= last && begin + kPiece <= path.size();
         ++begin)
      blank_out(bytes, std::string_view(path).substr(begin, kPiece));
  }
}

template <typename Number>
Number number_at(std::string_view bytes, size_t at) {
  Number number = 0;
  if (at + sizeof(number) <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

// Which address is of which line, without the names of files. Their tables, in the headers, refer to names by
// where these are.
uint64_t hash_line_programs(std::string_view lines, uint64_t hash) {
  for (size_t at = 0; at + 4 <= lines.size();) {
    const auto length = number_at<uint32_t>(lines, at);
    const size_t end = at + 4 + length;
    if (length >= 0xfffffff0 || end > lines.size()) return trace::fnv1a(lines.substr(at), hash);
    const auto version = number_at<uint16_t>(lines, at + 4);
    const size_t header_length = at + (version >= 5 ? 8 : 6);
    const size_t program = header_length + 4 + number_at<uint32_t>(lines, header_length);
    if (program > end) return trace::fnv1a(lines.substr(at), hash);
    hash = trace::fnv1a(lines.substr(program, end - program), hash);
    at = end;
  }
  return hash;
}

// The strings of a table, in an order of their own.
uint64_t hash_names(std::string_view table, const std::string& home, uint64_t hash) {
  std::set<std::string> names;
  while (!table.empty()) {
    const size_t size = std::min(table.find('\0'), table.size());
    std::string name(table.substr(0, size));
    for (size_t at = name.find(home); at != std::string::npos; at = name.find(home, at))
      name.erase(at, home.size());
    names.insert(std::move(name));
    table.remove_prefix(std::min(size + 1, table.size()));
  }
  for (const std::string& name : names) hash = trace::fnv1a(name + '\n', hash);
  return hash;
}

// The program in memory, and how it relates to the sources.
uint64_t hash_without_folder(const ElfFile& elf, const std::string& home) {
  uint64_t hash = trace::fnv1a("elf");
  for (const ElfContent& section : elf.contents()) {
    const bool names_files = section.name == ".debug_line_str" || section.name == ".debug_str";
    if (section.loaded && section.name != ".note.gnu.build-id") {
      std::string bytes(section.bytes);
      blank_out(&bytes, home);
      blank_out_pieces(&bytes, home);
      hash = trace::fnv1a(bytes, hash);
    } else if (section.compressed && (names_files || section.name == ".debug_line")) {
      hash = trace::fnv1a(section.bytes, hash);
    } else if (names_files) {
      hash = hash_names(section.bytes, home, hash);
    } else if (section.name == ".debug_line") {
      hash = hash_line_programs(section.bytes, hash);
    }
  }
  return hash;
}

}  // namespace

Expected<uint64_t> ProgramContents::file(const std::string& path) {
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  if (!home_.empty()) {
    if (const Expected<ElfFile> elf = ElfFile::open(path))
      return files_[path] = hash_without_folder(*elf, home_.string());
  }
  Expected<trace::InputFile> input = trace::InputFile::open(path);
  if (!input) return tl::unexpected(input.error());
  Expected<std::string> bytes = input->read_all(kMostBytes);
  if (!bytes) return tl::unexpected(bytes.error());
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
