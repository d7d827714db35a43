// The Cookie header of requests and the Set-Cookie header of responses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "headers.h"

namespace web {

/// All cookies of a request; of repeated names the first counts, as browsers send the most specific one
/// first.
std::map<std::string, std::string> parse_cookies(const Headers& headers);

struct SetCookie {
  std::string name;
  std::string value;
  std::string path = "/";
  std::optional<std::int64_t> max_age;  // in seconds; 0 removes the cookie
  bool http_only = true;
  std::string same_site = "Lax";

  /// The value of the Set-Cookie header; nothing if name or value may not be in a cookie.
  std::optional<std::string> format() const;
};

/// Whether `value` may stand in a cookie unquoted, RFC 6265 section 4.1.1.
bool is_cookie_value(std::string_view value);

}  // namespace web
