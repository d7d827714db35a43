#include "execute/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "execute/unique_fd.h"

namespace heddle {
namespace {

// A copy of the record at `offset`, if it lies within the bytes. Copied, since nothing promises alignment.
template <typename Record>
std::optional<Record> record_at(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Record)) return std::nullopt;
  Record record;
  std::memcpy(&record, bytes.data() + offset, sizeof(Record));
  return record;
}

std::string_view range(std::string_view bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return bytes.substr(offset, size);
}

std::string_view string_at(std::string_view strings, uint64_t offset) {
  if (offset >= strings.size()) return {};
  const std::string_view rest = strings.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::string replace_origin(std::string folder, const std::string& origin) {
  for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"}) {
    for (size_t at; (at = folder.find(name)) != std::string::npos;) folder.replace(at, name.size(), origin);
  }
  return folder;
}

}  // namespace

Expected<ElfFile> ElfFile::open(const std::string& path) {
  // Without waiting for somebody to write if it is a pipe.
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status{};
  if (!fd || ::fstat(fd.get(), &status) != 0) {
    return usage_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) return usage_error(fmt::format("{} is not a file", path));
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return usage_error(fmt::format("{} is empty", path));
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (memory == MAP_FAILED) return usage_error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));

  ElfFile file(path, {static_cast<const char*>(memory), size});
  if (file.bytes_.starts_with("#!")) {
    return usage_error(
        fmt::format("{} is a script, not a program; give the instrumented program that it starts", path));
  }
  if (!file.bytes_.starts_with(std::string_view(ELFMAG, SELFMAG))) {
    return usage_error(fmt::format("{} is not an ELF program", path));
  }
  const auto header = record_at<Elf64_Ehdr>(file.bytes_, 0);
  if (!header || header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) {
    return usage_error(fmt::format("{} is not built for x86-64, the only machine heddle runs on", path));
  }
  if (!file.parse_sections()) return usage_error(fmt::format("{} is a damaged ELF file", path));
  return file;
}

ElfFile::ElfFile(ElfFile&& other) noexcept
    : path_(std::move(other.path_)),
      bytes_(std::exchange(other.bytes_, {})),
      sections_(std::move(other.sections_)) {}

ElfFile::~ElfFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

bool ElfFile::parse_sections() {
  const auto header = *record_at<Elf64_Ehdr>(bytes_, 0);
  std::vector<Elf64_Shdr> raw;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = record_at<Elf64_Shdr>(bytes_, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return false;
    raw.push_back(*section);
  }
  std::string_view names;
  if (header.e_shstrndx < raw.size()) {
    names = range(bytes_, raw[header.e_shstrndx].sh_offset, raw[header.e_shstrndx].sh_size);
  }
  for (const Elf64_Shdr& section : raw) {
    sections_.push_back({string_at(names, section.sh_name), section.sh_type, section.sh_flags,
                         section.sh_addr, section.sh_offset, section.sh_size, section.sh_entsize,
                         section.sh_link});
  }
  return true;
}

std::string_view ElfFile::content(const Section& section) const {
  return section.type == SHT_NOBITS ? std::string_view{} : range(bytes_, section.offset, section.size);
}

bool ElfFile::is_executable() const {
  const uint16_t type = record_at<Elf64_Ehdr>(bytes_, 0)->e_type;
  return type == ET_EXEC || type == ET_DYN;
}

bool ElfFile::has_interpreter() const {
  const auto header = *record_at<Elf64_Ehdr>(bytes_, 0);
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = record_at<Elf64_Phdr>(bytes_, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment && segment->p_type == PT_INTERP) return true;
  }
  return false;
}

std::vector<ElfContent> ElfFile::contents() const {
  std::vector<ElfContent> contents;
  for (const Section& section : sections_)
    contents.push_back({section.name, content(section), (section.flags & SHF_ALLOC) != 0,
                        (section.flags & SHF_COMPRESSED) != 0, (section.flags & SHF_EXECINSTR) != 0,
                        section.address});
  return contents;
}

bool ElfFile::has_section(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return true;
  }
  return false;
}

std::string ElfFile::build_id() const {
  for (const Section& section : sections_) {
    if (section.type != SHT_NOTE) continue;
    const std::string_view notes = content(section);
    for (uint64_t at = 0; const auto note = record_at<Elf64_Nhdr>(notes, at);) {
      const auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
      const uint64_t name_at = at + sizeof(Elf64_Nhdr);
      const uint64_t data_at = name_at + padded(note->n_namesz);
      const std::string_view name = range(notes, name_at, note->n_namesz);
      const std::string_view data = range(notes, data_at, note->n_descsz);
      if (note->n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
        std::string hex;
        for (const char byte : data) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
        return hex;
      }
      at = data_at + padded(note->n_descsz);
    }
  }
  return {};
}

std::vector<std::string_view> ElfFile::dynamic_strings(int64_t tag) const {
  std::vector<std::string_view> result;
  for (const Section& section : sections_) {
    if (section.type != SHT_DYNAMIC || section.link >= sections_.size()) continue;
    const std::string_view strings = content(sections_[section.link]);
    const std::string_view entries = content(section);
    for (uint64_t at = 0; const auto entry = record_at<Elf64_Dyn>(entries, at); at += sizeof(Elf64_Dyn)) {
      if (entry->d_tag == tag) result.push_back(string_at(strings, entry->d_un.d_val));
    }
  }
  return result;
}

std::vector<std::string> ElfFile::needed() const {
  const std::vector<std::string_view> names = dynamic_strings(DT_NEEDED);
  return {names.begin(), names.end()};
}

std::vector<std::string> ElfFile::search_folders() const {
  std::vector<std::string_view> lists = dynamic_strings(DT_RUNPATH);
  if (lists.empty()) lists = dynamic_strings(DT_RPATH);
  const std::string origin = std::filesystem::path(path_).parent_path().string();
  std::vector<std::string> result;
  for (std::string_view list : lists) {
    while (!list.empty()) {
      const size_t colon = std::min(list.find(':'), list.size());
      if (colon > 0) result.push_back(replace_origin(std::string(list.substr(0, colon)), origin));
      list.remove_prefix(std::min(colon + 1, list.size()));
    }
  }
  return result;
}

std::vector<ElfSymbol> ElfFile::symbols() const {
  std::vector<ElfSymbol> result;
  for (const Section& section : sections_) {
    if ((section.type != SHT_DYNSYM && section.type != SHT_SYMTAB) || section.link >= sections_.size())
      continue;
    const std::string_view strings = content(sections_[section.link]);
    const std::string_view entries = content(section);
    for (uint64_t at = 0; const auto symbol = record_at<Elf64_Sym>(entries, at); at += sizeof(Elf64_Sym)) {
      const std::string_view name = string_at(strings, symbol->st_name);
      if (!name.empty()) result.push_back({name, symbol->st_shndx != SHN_UNDEF});
    }
  }
  return result;
}

}  // namespace heddle
