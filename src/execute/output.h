// OutputPipe: what a test prints on one stream, however much it is.
//
// The tool reads all the time, keeps the beginning and discards the rest, so a program that prints gigabytes
// neither blocks nor fills anything. The program always sees a pipe, whether or not its output is shown:
// it behaves the same in every execution.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "execute/unique_fd.h"
#include "support/error.h"

namespace heddle {

class OutputPipe {
 public:
  static Expected<OutputPipe> create(size_t limit);

  int read_end() const { return read_end_.get(); }
  int write_end() const { return write_end_.get(); }

  // Where to copy everything as it comes, such as STDOUT_FILENO; -1: nowhere.
  void copy_to(int fd) { copy_fd_ = fd; }

  // Takes what is in the pipe now, without waiting.
  void drain();

  // What was kept since the last take(), and whether some was discarded.
  std::pair<std::string, bool> take();

 private:
  UniqueFd read_end_;
  UniqueFd write_end_;
  size_t limit_ = 0;
  int copy_fd_ = -1;
  std::string kept_;
  bool discarded_ = false;
};

}  // namespace heddle
