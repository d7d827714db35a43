#include "check/coverage_points.h"

#include <cstring>
#include <optional>
#include <string_view>

#include "execute/elf_file.h"

namespace heddle {
namespace {

// A direct call of x86-64: one byte, and how far it is from what comes after it.
constexpr char kCall = '\xe8';
constexpr uint64_t kCallLength = 5;

// What a call calls that begins with this byte; nothing if it is none.
std::optional<uint64_t> called_at(const ElfContent& code, uint64_t at) {
  if (at >= code.bytes.size() || code.bytes.size() - at < kCallLength || code.bytes[at] != kCall)
    return std::nullopt;
  int32_t distance = 0;
  std::memcpy(&distance, code.bytes.data() + at + 1, sizeof distance);
  return code.address + at + kCallLength + static_cast<uint64_t>(static_cast<int64_t>(distance));
}

// A site is the last byte of its call.
constexpr uint64_t kSiteInCall = kCallLength - 1;

}  // namespace

std::vector<uint64_t> coverage_points(const std::string& module, const std::set<uint64_t>& reached) {
  std::vector<uint64_t> points;
  const Expected<ElfFile> file = ElfFile::open(module);
  if (!file) return points;
  const std::vector<ElfContent> contents = file->contents();
  std::set<uint64_t> functions;
  for (const ElfContent& code : contents) {
    if (!code.executable) continue;
    for (const uint64_t site : reached)
      if (site >= code.address + kSiteInCall)
        if (const auto called = called_at(code, site - kSiteInCall - code.address)) functions.insert(*called);
  }
  for (const ElfContent& code : contents) {
    if (!code.executable) continue;
    for (size_t at = code.bytes.find(kCall); at != std::string_view::npos;
         at = code.bytes.find(kCall, at + 1))
      if (const auto called = called_at(code, at); called && functions.contains(*called))
        points.push_back(code.address + at + kSiteInCall);
  }
  return points;
}

}  // namespace heddle
