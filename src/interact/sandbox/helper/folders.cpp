#include "interact/sandbox/helper/folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "interact/sandbox/wire.h"

namespace heddle::sandbox {
namespace {

// Folders within folders: each of them takes an open file while it is walked through.
constexpr int kDeepest = 64;
constexpr uint64_t kMostFiles = 1'000;

class Listing {
 public:
  // Takes the file over.
  explicit Listing(int folder) : stream_(folder < 0 ? nullptr : ::fdopendir(folder)) {
    if (stream_ == nullptr && folder >= 0) ::close(folder);
  }
  ~Listing() {
    if (stream_ != nullptr) ::closedir(stream_);
  }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  int folder() const { return ::dirfd(stream_); }
  explicit operator bool() const { return stream_ != nullptr; }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    while (const dirent* entry = ::readdir(stream_)) {
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        result.emplace_back(entry->d_name);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  DIR* stream_;
};

// Also one that may not be read.
int open_folder(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int folder = ::openat(parent, name, kFlags);
  if (folder >= 0 || errno != EACCES || ::fchmodat(parent, name, 0700, 0) != 0) return folder;
  return ::openat(parent, name, kFlags);
}

class Reader {
 public:
  Reader(uint64_t most_bytes, std::string* text) : left_(most_bytes), text_(text) {}

  void read(int folder, const std::string& before, int depth) {
    const Listing listing(folder);
    if (!listing || depth > kDeepest) return;
    for (const std::string& name : listing.names()) {
      struct stat status{};
      if (files_ == kMostFiles ||
          ::fstatat(listing.folder(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        continue;
      if (S_ISDIR(status.st_mode)) {
        add(before + name + "/", "");
        read(open_folder(listing.folder(), name.c_str()), before + name + "/", depth + 1);
      } else if (S_ISREG(status.st_mode)) {
        add(before + name, content(listing.folder(), name.c_str(), static_cast<uint64_t>(status.st_size)));
      } else if (S_ISLNK(status.st_mode)) {
        char target[4096];
        const ssize_t size = ::readlinkat(listing.folder(), name.c_str(), target, sizeof(target));
        add(before + name, "-> " + std::string(target, size > 0 ? static_cast<size_t>(size) : 0));
      } else {
        add(before + name, "(not a file)");
      }
    }
  }

 private:
  std::string content(int folder, const char* name, uint64_t size) {
    int file = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 && errno == EACCES && ::fchmodat(folder, name, 0600, 0) == 0)
      file = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return "(cannot be read)";
    std::string result(std::min(size, left_), '\0');
    size_t count = 0;
    while (count < result.size()) {
      const ssize_t more = ::read(file, result.data() + count, result.size() - count);
      if (more <= 0) break;
      count += static_cast<size_t>(more);
    }
    ::close(file);
    result.resize(count);
    left_ -= count;
    return result;
  }

  void add(const std::string& path, const std::string& content) {
    ++files_;
    const wire::LeftFile head{static_cast<uint32_t>(path.size()), content.size()};
    text_->append(reinterpret_cast<const char*>(&head), sizeof(head)).append(path).append(content);
  }

  uint64_t left_;
  uint64_t files_ = 0;
  std::string* text_;
};

class Remover {
 public:
  void empty(int folder, const std::vector<std::string>& kept, int depth) {
    const Listing listing(folder);
    if (!listing) return;
    if (depth == 0) top_ = listing.folder();
    for (const std::string& name : listing.names()) {
      if (std::find(kept.begin(), kept.end(), name) == kept.end()) remove(listing.folder(), name, depth);
    }
  }

  // Folders that were too deep lie at the top now.
  bool moved() const { return moved_; }

 private:
  void remove(int folder, const std::string& name, int depth) {
    if (::unlinkat(folder, name.c_str(), 0) == 0 || ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0)
      return;
    if (depth == kDeepest) {
      const std::string other = ".heddle-" + std::to_string(count_++);
      moved_ = ::renameat(folder, name.c_str(), top_, other.c_str()) == 0 || moved_;
      return;
    }
    const int inner = open_folder(folder, name.c_str());
    if (inner < 0) return;
    ::fchmod(inner, 0700);
    empty(inner, {}, depth + 1);
    ::unlinkat(folder, name.c_str(), AT_REMOVEDIR);
  }

  int top_ = -1;
  uint64_t count_ = 0;
  bool moved_ = false;
};

}  // namespace

void append_files(int folder, uint64_t most_bytes, std::string* text) {
  Reader(most_bytes, text).read(::fcntl(folder, F_DUPFD_CLOEXEC, 0), "", 0);
}

void empty_folder(const std::string& path, const std::vector<std::string>& kept) {
  // Each turn takes at least kDeepest levels off; a program that could make more than this many had all day.
  for (int turn = 0; turn < 1'000; ++turn) {
    Remover remover;
    remover.empty(open_folder(AT_FDCWD, path.c_str()), kept, 0);
    if (!remover.moved()) return;
  }
}

}  // namespace heddle::sandbox
