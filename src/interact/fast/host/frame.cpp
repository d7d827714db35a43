#include "interact/fast/host/frame.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "interact/sandbox/wire.h"

namespace heddle::fast {
namespace {

// Of a frame: inputs and outputs are limited to far less.
constexpr uint64_t kLargestFrame = uint64_t{256} << 20;

struct FrameHeader {
  uint64_t kind;
  uint64_t size;
};

}  // namespace

void FrameWriter::input(const concolic::ProgramInput& value) {
  number(value.arguments.size());
  for (const std::string& argument : value.arguments) text(argument);
  text(value.standard_input);
  text(value.file);
}

void FrameWriter::options(const FastOptions& value) {
  number(value.versions.size());
  for (const FastVersion& version : value.versions) {
    text(version.fast.string());
    text(version.why_not);
    text(version.plain.string());
  }
  text(value.folder.string());
  number(static_cast<uint64_t>(value.timeout.count()));
  number(static_cast<uint64_t>(value.limits.timeout.count()));
  number(value.limits.memory);
  number(value.limits.most_output);
  text(value.limits.file_name);
  text(value.limits.program_name);
  number(value.limits.no_namespaces);
}

void FrameWriter::run(const VersionRun& value) {
  const interact::Behaviour none;
  const interact::Behaviour& process = value.process == nullptr ? none : *value.process;
  number(value.process == nullptr);
  number(static_cast<uint64_t>(value.end));
  number(static_cast<uint64_t>(value.exit_code));
  number(static_cast<uint64_t>(value.signal));
  text(value.out);
  text(value.err);
  text(process.report);
  number(process.removed_input);
  number(process.files.size());
  for (const auto& [name, content] : process.files) {
    text(name);
    text(content);
  }
}

std::string_view FrameReader::take(size_t size) {
  if (size > rest_.size()) {
    is_whole_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view result = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return result;
}

uint64_t FrameReader::number() {
  uint64_t value = 0;
  const std::string_view bytes = take(sizeof(value));
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

std::string FrameReader::text() {
  const uint64_t size = number();
  return std::string(take(size));
}

concolic::ProgramInput FrameReader::input() {
  concolic::ProgramInput value;
  for (uint64_t count = number(); count > 0 && is_whole_; --count) value.arguments.push_back(text());
  value.standard_input = text();
  value.file = text();
  return value;
}

FastOptions FrameReader::options() {
  FastOptions value;
  for (uint64_t count = number(); count > 0 && is_whole_; --count) {
    FastVersion version;
    version.fast = text();
    version.why_not = text();
    version.plain = text();
    value.versions.push_back(std::move(version));
  }
  value.folder = text();
  value.timeout = std::chrono::milliseconds(number());
  value.limits.timeout = std::chrono::milliseconds(number());
  value.limits.memory = number();
  value.limits.most_output = number();
  value.limits.file_name = text();
  value.limits.program_name = text();
  value.limits.no_namespaces = number() != 0;
  return value;
}

interact::Behaviour FrameReader::behaviour(bool* lives_here) {
  interact::Behaviour value;
  *lives_here = number() != 0;
  const auto end = static_cast<RunEnd>(number());
  value.timed_out = end == RunEnd::kTime;
  value.wrote_too_much = end == RunEnd::kOutput;
  value.exit_code = static_cast<int>(number());
  value.signal = static_cast<int>(number());
  value.out = text();
  value.err = text();
  value.report = text();
  value.removed_input = number() != 0;
  for (uint64_t count = number(); count > 0 && is_whole_; --count) {
    std::string name = text();
    value.files[std::move(name)] = text();
  }
  return value;
}

bool HostLink::send(FrameKind kind, std::string_view text) const {
  const FrameHeader header = {static_cast<uint64_t>(kind), text.size()};
  return sandbox::wire::send_all(socket_.get(), &header, sizeof(header)) &&
         sandbox::wire::send_all(socket_.get(), text.data(), text.size());
}

bool HostLink::read_all(void* to, size_t size) const {
  for (char* at = static_cast<char*>(to); size > 0;) {
    const ssize_t count = ::recv(socket_.get(), at, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

HostLink::Arrival HostLink::receive(Frame* frame, std::optional<std::chrono::milliseconds> timeout) const {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + timeout.value_or(std::chrono::milliseconds(0));
  while (timeout) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd wait{socket_.get(), POLLIN, 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready > 0) break;
    if (ready == 0) return Arrival::kNothing;
    if (errno != EINTR) return Arrival::kLost;
  }
  FrameHeader header{};
  if (!read_all(&header, sizeof(header)) || header.size > kLargestFrame) return Arrival::kLost;
  frame->kind = static_cast<FrameKind>(header.kind);
  frame->text.assign(header.size, '\0');
  return read_all(frame->text.data(), header.size) ? Arrival::kFrame : Arrival::kLost;
}

}  // namespace heddle::fast
