// Opening and reading files, with errors that name the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/error.h"

namespace heddle::trace {

// A file open for reading, closed with the object.
class InputFile {
 public:
  static Expected<InputFile> open(const std::string& path);
  // The same, but "-" is the standard input, which stays open.
  static Expected<InputFile> open_or_stdin(const std::string& path);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  bool is_regular() const { return regular_; }
  uint64_t size() const { return size_; }              // of a regular file, from where it was opened
  const std::string& title() const { return title_; }  // what errors call it

  // The first `size` bytes, fewer if there are no more. Before anything else is read, which begins with them
  // all the same: a pipe can be looked at before it is decided who reads it.
  Expected<std::string_view> begin(size_t size);

  // How many bytes came; 0 at the end.
  Expected<size_t> read(std::span<char> buffer);

  // Bytes at a place of a regular file, 0 being where it was opened. Wherever read() is. Fewer than asked for
  // is an error: the file was cut off after it was opened.
  Expected<void> read_at(uint64_t position, std::span<std::byte> buffer) const;

  // Everything up to the end. More than `limit` bytes is an error: a device may never end.
  Expected<std::string> read_all(uint64_t limit);

  tl::unexpected<Error> failure(int error) const;

 private:
  explicit InputFile(std::string title);
  static Expected<InputFile> inspect(InputFile file);

  std::string title_;
  int fd_ = -1;
  bool borrowed_ = false;  // not to be closed
  bool regular_ = false;
  uint64_t start_ = 0;  // where a regular file was when it was opened
  uint64_t size_ = 0;
  std::string begin_;       // read already
  size_t begin_given_ = 0;  // of which read() has given so many bytes
};

}  // namespace heddle::trace
