// Error: what the tool returns across module borders when something could not be done.
//
// The message is a sentence a user can act on: what was tried, on what, what went wrong, what to do.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace heddle {

struct Error {
  // What the command's exit code should be (see docs/cli.md).
  enum class Kind { kUsage = 2, kInternal = 3 };

  std::string message;
  Kind kind = Kind::kUsage;
};

template <typename T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> usage_error(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message), Error::Kind::kUsage});
}

inline tl::unexpected<Error> internal_error(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message), Error::Kind::kInternal});
}

}  // namespace heddle
