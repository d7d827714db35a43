// What heddle and the helper of a sandbox say to each other, over a socket between them.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace heddle::sandbox::wire {

// Open files of the helper.
inline constexpr int kSocket = 3;
inline constexpr int kIn = 4;
inline constexpr int kOut = 5;
inline constexpr int kErr = 6;
inline constexpr int kFirstGiven = 7;

enum Lack : uint32_t {
  kNamespaces = 1,   // then all else depends on the rest
  kFileRules = 2,    // Landlock
  kNetworkRule = 4,  // seccomp
  kSignalRule = 8,   // Landlock, since Linux 6.12
  kProcessCount = 16,
  kOwnProcFolder = 32,
};

// What the helper says first. `root` follows: the folder that those of runs are in.
struct Hello {
  uint32_t lacks;
  int32_t error;  // of the namespaces
  uint32_t root_size;
};

// Followed by text: executable, folder, name of the input file, arguments, environment, each with a NUL; then
// the content of the input file.
struct Request {
  uint64_t text_size;
  uint64_t memory;
  uint64_t most_output;
  uint64_t stack;
  uint64_t file_size;
  uint32_t timeout;  // milliseconds
  uint32_t process_number;
  uint32_t arguments;
  uint32_t variables;
  int32_t given;  // open file of the helper, or -1
  int32_t given_as;
  uint32_t fixed_addresses;
};

// Followed by the files that are left: each a LeftFile, its path, its content.
struct Reply {
  int32_t status;       // of wait()
  int32_t start_error;  // why the program could not be started
  uint32_t timed_out;
  uint64_t cpu_time;  // nanoseconds
  uint64_t text_size;
};

struct LeftFile {
  uint32_t path_size;
  uint64_t size;
};

// False: the other side is gone.
inline bool send_all(int socket, const void* from, size_t size) {
  for (const char* at = static_cast<const char*>(from); size > 0;) {
    const ssize_t count = ::send(socket, at, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace heddle::sandbox::wire
