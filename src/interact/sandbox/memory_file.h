// Files in memory, by which heddle and a run hand texts to each other.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "execute/unique_fd.h"

namespace heddle::sandbox {

inline UniqueFd memory_file(const char* name) {
  return UniqueFd(::memfd_create(name, MFD_CLOEXEC));
}

// Empties the file, fills it, and goes back to its beginning.
inline bool refill(const UniqueFd& file, std::string_view content) {
  if (::ftruncate(file.get(), 0) != 0) return false;
  for (size_t done = 0; done < content.size();) {
    const ssize_t count =
        ::pwrite(file.get(), content.data() + done, content.size() - done, static_cast<off_t>(done));
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return ::lseek(file.get(), 0, SEEK_SET) == 0;
}

inline std::string content_of(const UniqueFd& file) {
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::string content(size > 0 ? static_cast<size_t>(size) : 0, '\0');
  const ssize_t count = ::pread(file.get(), content.data(), content.size(), 0);
  content.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return content;
}

}  // namespace heddle::sandbox
