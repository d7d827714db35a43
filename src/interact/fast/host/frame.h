// What heddle and heddle-interact-host say to each other over a socket: frames of a kind and a text, in which
// numbers and texts follow each other.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "execute/unique_fd.h"
#include "interact/concolic/program_input.h"
#include "interact/fast/fast_runner.h"
#include "interact/trial/behaviour.h"

namespace heddle::fast {

enum class FrameKind : uint32_t {
  kConfigure,  // to the host: FastOptions
  kReady,      // from it: why versions need processes, or ""
  kError,      // from it: a sentence; it ends
  kRun,        // to the host: an input
  kRan,        // from it: for each version whether it lives there, and its behaviour
  // The fuzzing loop (fuzz/loop_messages.h):
  kAskPlaces,   // to the host: nothing
  kPlaces,      // from it: offsets in the head's executable, one for each counter
  kBeginLoop,   // to the host: LoopSettings; it answers nothing
  kRunSlice,    // to the host: SliceRequest
  kFound,       // from it: FoundDifference
  kKept,        // from it: KeptForCorpus
  kSliceEnded,  // from it: SliceReport
};

struct Frame {
  FrameKind kind;
  std::string text;
};

class FrameWriter {
 public:
  void number(uint64_t value) { text_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
  void text(std::string_view value) {
    number(value.size());
    text_.append(value);
  }
  void input(const concolic::ProgramInput& value);
  void options(const FastOptions& value);
  void run(const VersionRun& value);

  std::string take() { return std::move(text_); }
  const std::string& written() const { return text_; }

 private:
  std::string text_;
};

// What is not there reads as zeros and empty texts, and is_whole() is false then.
class FrameReader {
 public:
  explicit FrameReader(std::string_view text) : rest_(text) {}

  uint64_t number();
  std::string text();
  concolic::ProgramInput input();
  FastOptions options();
  interact::Behaviour behaviour(bool* lives_here);

  bool is_whole() const { return is_whole_; }

 private:
  std::string_view take(size_t size);

  std::string_view rest_;
  bool is_whole_ = true;
};

// One end of the socket.
class HostLink {
 public:
  HostLink() = default;
  explicit HostLink(UniqueFd socket) : socket_(std::move(socket)) {}

  // False: nobody is at the other end.
  bool send(FrameKind kind, std::string_view text) const;
  enum class Arrival { kFrame, kNothing, kLost };
  // Without a time: until something comes.
  Arrival receive(Frame* frame, std::optional<std::chrono::milliseconds> timeout = std::nullopt) const;

  int descriptor() const { return socket_.get(); }

 private:
  bool read_all(void* to, size_t size) const;

  UniqueFd socket_;
};

}  // namespace heddle::fast
