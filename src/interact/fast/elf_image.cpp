#include "interact/fast/elf_image.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "execute/unique_fd.h"

namespace heddle::fast {
namespace {

constexpr uint64_t kMapPage = 4096;

uint64_t down(uint64_t value) {
  return value & ~(kMapPage - 1);
}
uint64_t up(uint64_t value) {
  return down(value + kMapPage - 1);
}

class ElfMapper {
 public:
  explicit ElfMapper(const MapElfRequest& request) : request_(request) {}

  Expected<ElfImage> run() {
    std::ifstream file(request_.path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    Elf64_Ehdr header;
    if (!read(0, &header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
      return fail("is no executable for this machine");
    if (header.e_type != ET_DYN)
      return fail("has a fixed address, so that it cannot be loaded beside another");
    for (uint16_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      if (!read(header.e_phoff + i * header.e_phentsize, &segment)) return fail("is damaged");
      segments_.push_back(segment);
    }
    image_.base = request_.address;
    image_.entry = request_.address + header.e_entry;
    image_.header_size = header.e_phentsize;
    image_.header_count = header.e_phnum;
    if (const Expected<void> mapped = map_segments(header); !mapped) return tl::unexpected(mapped.error());
    find_symbols(header);
    return std::move(image_);
  }

 private:
  tl::unexpected<Error> fail(const std::string& what) const {
    return usage_error(fmt::format("{} {}", request_.path.string(), what));
  }

  template <typename T>
  bool read(uint64_t offset, T* to) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return false;
    std::memcpy(to, bytes_.data() + offset, sizeof(T));
    return true;
  }

  Expected<void> map_segments(const Elf64_Ehdr& header) {
    const UniqueFd file(::open(request_.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_INTERP && segment.p_offset + segment.p_filesz <= bytes_.size())
        image_.interpreter = bytes_.data() + segment.p_offset;
      if (segment.p_type != PT_LOAD) continue;
      if (!map_segment(segment, file.get())) return fail("cannot be mapped into memory");
      if (header.e_phoff >= segment.p_offset && header.e_phoff < segment.p_offset + segment.p_filesz)
        image_.headers = image_.base + segment.p_vaddr + (header.e_phoff - segment.p_offset);
    }
    return {};
  }

  bool map_segment(const Elf64_Phdr& segment, int file) {
    const int protection = ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) |
                           ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
                           ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    const uint64_t begin = image_.base + down(segment.p_vaddr);
    const uint64_t file_end = image_.base + segment.p_vaddr + segment.p_filesz;
    const uint64_t end = image_.base + up(segment.p_vaddr + segment.p_memsz);
    void* const place = reinterpret_cast<void*>(begin);
    if (::mmap(place, end - begin, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
      return false;
    if (segment.p_filesz > 0 && ::mmap(place, up(file_end) - begin, protection, MAP_PRIVATE | MAP_FIXED, file,
                                       static_cast<off_t>(down(segment.p_offset))) == MAP_FAILED)
      return false;
    if (segment.p_memsz > segment.p_filesz && (segment.p_flags & PF_W) != 0)
      std::memset(reinterpret_cast<void*>(file_end), 0, std::min(up(file_end), end) - file_end);
    image_.end = std::max(image_.end, end);
    return true;
  }

  void find_symbols(const Elf64_Ehdr& header) {
    for (uint16_t i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr section;
      Elf64_Shdr names;
      if (!read(header.e_shoff + i * header.e_shentsize, &section)) return;
      if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
      if (!read(header.e_shoff + section.sh_link * header.e_shentsize, &names)) continue;
      for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        if (!read(section.sh_offset + at, &symbol)) break;
        const uint64_t name = names.sh_offset + symbol.st_name;
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.sh_size || name >= bytes_.size())
          continue;
        const char* const text = bytes_.data() + name;
        if (std::find(request_.symbols.begin(), request_.symbols.end(), text) != request_.symbols.end())
          image_.symbols[text] = image_.base + symbol.st_value;
      }
    }
  }

  const MapElfRequest& request_;
  std::string bytes_;
  std::vector<Elf64_Phdr> segments_;
  ElfImage image_;
};

}  // namespace

Expected<ElfImage> map_elf(const MapElfRequest& request) {
  return ElfMapper(request).run();
}

}  // namespace heddle::fast
