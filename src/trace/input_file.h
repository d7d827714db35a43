// Opening and reading whole files, with errors that name the file.
#pragma once

#include <cstdint>
#include <string>

#include "support/error.h"

namespace heddle::trace {

// A file open for reading, closed with the object.
class InputFile {
 public:
  static Expected<InputFile> open(const std::string& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  bool is_regular() const { return regular_; }
  uint64_t size() const { return size_; }  // of a regular file
  int fd() const { return fd_; }

  // Everything up to the end. More than `limit` bytes is an error: a device may never end.
  Expected<std::string> read_all(uint64_t limit) const;

  tl::unexpected<Error> failure(int error) const;

 private:
  explicit InputFile(std::string path);

  std::string path_;
  int fd_ = -1;
  bool regular_ = false;
  uint64_t size_ = 0;
};

}  // namespace heddle::trace
