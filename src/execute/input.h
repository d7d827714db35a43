// Input: the standard input of a test, the same for every execution.
//
// Re-execution needs input that can be read again, so it is a file (rewound before each execution), a copy of
// what a pipe delivered, or nothing.
#pragma once

#include <memory>
#include <string>

#include "execute/unique_fd.h"
#include "support/error.h"

namespace heddle {

class Input {
 public:
  Input() = default;  // empty, like /dev/null

  static Expected<Input> from_file(const std::string& path);
  // Reads `fd` to its end and keeps the content in memory.
  static Expected<Input> spool(int fd);
  // The tool's own standard input if it is a file, else empty: a terminal or an open pipe may never end.
  static Input inherited();

  off_t start() const { return start_; }

  // A descriptor of its own, positioned at `start`, since servers must not share a file position.
  Expected<UniqueFd> open() const;

 private:
  Input(UniqueFd fd, off_t start) : fd_(std::make_shared<UniqueFd>(std::move(fd))), start_(start) {}

  std::shared_ptr<UniqueFd> fd_;
  off_t start_ = 0;
};

}  // namespace heddle
