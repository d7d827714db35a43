// AtomicFile: a file that appears under its name only when it is complete.
//
// Bytes go to a neighbour with a temporary name; commit() renames it, and the destructor removes it
// otherwise. A path that names a device or pipe (/dev/null, /dev/stdout) is written directly: renaming onto
// it would replace the device. "-" is the standard output.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "support/error.h"

namespace heddle::trace {

class AtomicFile {
 public:
  static Expected<AtomicFile> create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Expected<void> write(std::span<const std::byte> bytes);
  Expected<void> write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
  Expected<void> commit();

 private:
  explicit AtomicFile(std::string path);
  tl::unexpected<Error> failure(int error) const;

  std::string path_;       // as the user named it, for errors
  std::string target_;     // what the rename replaces: path_ with symbolic links followed
  std::string temporary_;  // empty: nothing to rename or remove
  int fd_ = -1;
};

}  // namespace heddle::trace
