#include "interact/fast/patch_calls.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "interact/fast/kernel/machine.h"
#include "interact/fast/zone_maps.h"

namespace heddle::fast {
namespace {

// The zone's page of patches begins with the addresses of heddle's functions.
constexpr uint64_t kCallSlot = 0;
constexpr uint64_t kReadySlot = 8;
constexpr uint64_t kReadyCode = 16;
constexpr uint64_t kFirstPatch = 64;
constexpr uint64_t kPatchSize = 24;

constexpr uint8_t kCall[] = {0x0f, 0x05};
// mov $number, %eax; syscall: the jump takes the place of the first instruction. Who comes to the second one
// in another way makes a system call as before.
constexpr uint8_t kNumber = 0xb8;
constexpr uint64_t kNumberSize = 5;
constexpr uint32_t kMostNumber = 1024;
// syscall; cmp $-4096, %rax (or -4095): how glibc goes on. The jump takes the place of both.
constexpr uint8_t kCompare[] = {0x48, 0x3d};
constexpr uint8_t kLimit[] = {0xf0, 0xff, 0xff};
constexpr uint64_t kCompareSize = 6;
// What is looked at before and behind a call.
constexpr uint64_t kMargin = 8;

bool has_number_before(const uint8_t* call) {
  uint32_t number = 0;
  std::memcpy(&number, call - 4, sizeof(number));
  const bool has_prefix = (call[-6] & 0xf0) == 0x40;
  return call[-5] == kNumber && !has_prefix && number < kMostNumber;
}

bool has_compare_behind(const uint8_t* call) {
  return std::memcmp(call + 2, kCompare, sizeof(kCompare)) == 0 && call[4] <= 1 &&
         std::memcmp(call + 5, kLimit, sizeof(kLimit)) == 0;
}

void put(uint64_t at, const void* bytes, size_t size) {
  std::memcpy(reinterpret_cast<void*>(at), bytes, size);
}

int32_t distance(uint64_t from, uint64_t to) {
  return static_cast<int32_t>(static_cast<int64_t>(to - from));
}

void put_jump_through(uint64_t at, uint64_t slot) {
  constexpr uint8_t kJump[] = {0xff, 0x25};
  const int32_t to = distance(at + 6, slot);
  put(at, kJump, sizeof(kJump));
  put(at + 2, &to, sizeof(to));
}

void put_jump(uint64_t at, uint64_t target) {
  constexpr uint8_t kJump = 0xe9;
  const int32_t to = distance(at + 5, target);
  put(at, &kJump, sizeof(kJump));
  put(at + 1, &to, sizeof(to));
}

// lea back(%rip), %r11; jmp *slot(%rip); back:
uint64_t put_call(uint64_t at, uint64_t slot) {
  constexpr uint8_t kReturnAddress[] = {0x4c, 0x8d, 0x1d, 6, 0, 0, 0};
  put(at, kReturnAddress, sizeof(kReturnAddress));
  put_jump_through(at + sizeof(kReturnAddress), slot);
  return at + sizeof(kReturnAddress) + 6;
}

// The code at `patch` does what the instructions around the call did, and the call.
bool patch_site(uint64_t call, uint64_t patch, uint64_t slot) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(call);
  if (has_number_before(bytes)) {
    put(patch, bytes - kNumberSize, kNumberSize);
    put_jump(put_call(patch + kNumberSize, slot), call + sizeof(kCall));
    put_jump(call - kNumberSize, patch);
    return true;
  }
  if (!has_compare_behind(bytes)) return false;
  const uint64_t back = put_call(patch, slot);
  put(back, bytes + sizeof(kCall), kCompareSize);
  put_jump(back + kCompareSize, call + sizeof(kCall) + kCompareSize);
  put_jump(call, patch);
  return true;
}

}  // namespace

uint64_t ready_patch(uint64_t zone) {
  return zone + kPatchesAt + kReadyCode;
}

void prepare_patches(uint64_t zone) {
  const uint64_t base = zone + kPatchesAt;
  const auto call = reinterpret_cast<uint64_t>(&heddle_fast_call);
  const auto ready = reinterpret_cast<uint64_t>(&heddle_fast_ready);
  put(base + kCallSlot, &call, sizeof(call));
  put(base + kReadySlot, &ready, sizeof(ready));
  put_jump_through(base + kReadyCode, base + kReadySlot);
  ::mprotect(reinterpret_cast<void*>(base), kPatchesSize, PROT_READ | PROT_EXEC);
}

Expected<size_t> patch_calls(uint64_t zone) {
  const uint64_t base = zone + kPatchesAt;
  void* const patches = reinterpret_cast<void*>(base);
  if (::mprotect(patches, kPatchesSize, PROT_READ | PROT_WRITE) != 0)
    return internal_error(fmt::format("cannot write code: {}", std::strerror(errno)));
  size_t count = 0;
  for (const ZoneMap& map : zone_maps(zone)) {
    if (!map.is_executable || !map.is_readable || map.begin == base) continue;
    void* const code = reinterpret_cast<void*>(map.begin);
    const uint64_t size = map.end - map.begin;
    if (::mprotect(code, size, PROT_READ | PROT_WRITE) != 0)
      return internal_error(fmt::format("cannot change code: {}", std::strerror(errno)));
    const auto* const bytes = reinterpret_cast<uint8_t*>(map.begin);
    for (uint64_t i = kMargin; i + kMargin <= size; ++i) {
      const uint64_t patch = base + kFirstPatch + count * kPatchSize;
      if (std::memcmp(bytes + i, kCall, sizeof(kCall)) == 0 && patch + kPatchSize <= base + kPatchesSize)
        count += patch_site(map.begin + i, patch, base + kCallSlot) ? 1 : 0;
    }
    ::mprotect(code, size, PROT_READ | PROT_EXEC);
  }
  ::mprotect(patches, kPatchesSize, PROT_READ | PROT_EXEC);
  return count;
}

}  // namespace heddle::fast
