#include "interact/trial/executable_kind.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "execute/unique_fd.h"

namespace heddle::interact {
namespace {

// A file that stays mapped as long as this.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status{};
    if (!file_ || ::fstat(file_.get(), &status) != 0 || status.st_size == 0) return;
    size_ = static_cast<size_t>(status.st_size);
    data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  }
  ~MappedFile() {
    if (data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const {
    return data_ == MAP_FAILED ? std::string_view() : std::string_view(static_cast<char*>(data_), size_);
  }

 private:
  UniqueFd file_;
  void* data_ = MAP_FAILED;
  size_t size_ = 0;
};

// The dynamic linker that it asks for; empty: none, or it is no program of the kind that heddle is itself.
std::string_view dynamic_linker(std::string_view text) {
  Elf64_Ehdr header;
  if (text.size() < sizeof(header)) return {};
  std::memcpy(&header, text.data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const size_t at = header.e_phoff + i * sizeof(segment);
    if (at > text.size() || text.size() - at < sizeof(segment)) return {};
    std::memcpy(&segment, text.data() + at, sizeof(segment));
    if (segment.p_type == PT_INTERP && segment.p_offset < text.size())
      return text.substr(segment.p_offset, segment.p_filesz);
  }
  return {};
}

}  // namespace

ExecutableKind kind_of_executable(const std::filesystem::path& program) {
  const MappedFile file(program);
  const MappedFile self("/proc/self/exe");
  ExecutableKind kind;
  const std::string_view linker = dynamic_linker(file.text());
  kind.takes_preload = !linker.empty() && linker == dynamic_linker(self.text());
  for (const std::string_view name : {"__asan_init", "__msan_init", "__tsan_init", "__hwasan_init"})
    kind.has_sanitizer = kind.has_sanitizer || ::memmem(file.text().data(), file.text().size(), name.data(),
                                                        name.size()) != nullptr;
  return kind;
}

}  // namespace heddle::interact
