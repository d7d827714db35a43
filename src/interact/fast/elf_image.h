// ElfImage: an executable or a dynamic linker, mapped into this process at an address of heddle's choice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/error.h"

namespace heddle::fast {

struct ElfImage {
  uint64_t base = 0;
  uint64_t end = 0;
  uint64_t entry = 0;
  uint64_t headers = 0;  // program headers, mapped
  uint64_t header_size = 0;
  uint64_t header_count = 0;
  std::string interpreter;                  // empty: none
  std::map<std::string, uint64_t> symbols;  // addresses of those that were asked for and are there
};

struct MapElfRequest {
  std::filesystem::path path;
  uint64_t address;
  std::vector<std::string> symbols;
};

// An error if it is no position-independent executable for this machine.
Expected<ElfImage> map_elf(const MapElfRequest& request);

}  // namespace heddle::fast
