#include "interact/fast/host/in_flight.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "interact/fast/host/frame.h"
#include "interact/sandbox/memory_file.h"

namespace heddle::fast {
namespace {

constexpr size_t kRecordSize = size_t{256} << 10;

}  // namespace

// Texts one behind the other, as FrameReader wants them, without the detour by a FrameWriter.
struct InFlight::Record {
  uint64_t is_running;
  uint64_t size;
  char bytes[kRecordSize - 2 * sizeof(uint64_t)];

  bool put_number(uint64_t value) { return put(&value, sizeof(value)); }
  bool put_text(std::string_view text) { return put_number(text.size()) && put(text.data(), text.size()); }

 private:
  bool put(const void* from, size_t count) {
    if (count > sizeof(bytes) - size) return false;
    std::memcpy(bytes + size, from, count);
    size += count;
    return true;
  }
};

std::optional<InFlight> InFlight::create() {
  UniqueFd file = sandbox::memory_file("in flight");
  if (!file || ::ftruncate(file.get(), kRecordSize) != 0) return std::nullopt;
  return open(std::move(file));
}

std::optional<InFlight> InFlight::open(UniqueFd file) {
  void* const memory = ::mmap(nullptr, kRecordSize, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return std::nullopt;
  return InFlight(std::move(file), static_cast<Record*>(memory));
}

InFlight::InFlight(InFlight&& other) noexcept
    : file_(std::move(other.file_)), record_(std::exchange(other.record_, nullptr)) {}

InFlight::~InFlight() {
  if (record_ != nullptr) ::munmap(record_, kRecordSize);
}

void InFlight::begin(const concolic::ProgramInput& input) {
  record_->size = 0;
  bool fits = record_->put_number(input.arguments.size());
  for (const std::string& argument : input.arguments) fits = fits && record_->put_text(argument);
  fits = fits && record_->put_text(input.standard_input) && record_->put_text(input.file);
  record_->is_running = fits;
}

void InFlight::end() {
  record_->is_running = 0;
}

std::optional<concolic::ProgramInput> InFlight::input() const {
  if (record_->is_running == 0 || record_->size > sizeof(record_->bytes)) return std::nullopt;
  FrameReader reader({record_->bytes, record_->size});
  concolic::ProgramInput input = reader.input();
  if (!reader.is_whole()) return std::nullopt;
  return input;
}

}  // namespace heddle::fast
