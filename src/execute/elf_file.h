// ElfFile: the few facts about an ELF file that heddle needs, read without trusting the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle {

struct ElfSymbol {
  std::string_view name;
  bool defined = false;
};

struct ElfContent {
  std::string_view name;
  std::string_view bytes;
  bool loaded = false;  // part of the program in memory
  bool compressed = false;
  bool executable = false;
  uint64_t address = 0;  // where it lies in memory, from where the file is loaded
};

class ElfFile {
 public:
  // Maps an x86-64 ELF file. The error says what the file is instead.
  static Expected<ElfFile> open(const std::string& path);

  ElfFile(ElfFile&& other) noexcept;
  ElfFile& operator=(ElfFile&&) = delete;
  ~ElfFile();

  bool is_executable() const;    // a program, not an object file
  bool has_interpreter() const;  // names a dynamic linker
  bool has_section(std::string_view name) const;
  std::string build_id() const;                     // lower-case hex; empty if there is none
  std::vector<std::string> needed() const;          // DT_NEEDED
  std::vector<std::string> search_folders() const;  // DT_RUNPATH or DT_RPATH, $ORIGIN resolved
  std::vector<ElfSymbol> symbols() const;           // of .dynsym and .symtab
  std::vector<ElfContent> contents() const;         // of all sections, in their order

 private:
  struct Section {
    std::string_view name;
    uint32_t type;
    uint64_t flags;
    uint64_t address;
    uint64_t offset, size, entry_size;
    uint32_t link;
  };

  ElfFile(std::string path, std::string_view bytes) : path_(std::move(path)), bytes_(bytes) {}
  bool parse_sections();
  std::string_view content(const Section& section) const;
  std::vector<std::string_view> dynamic_strings(int64_t tag) const;

  std::string path_;
  std::string_view bytes_;
  std::vector<Section> sections_;
};

}  // namespace heddle
