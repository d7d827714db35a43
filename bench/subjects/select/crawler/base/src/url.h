// Addresses of pages: parsing, relative references, and one normal form so that a page is fetched once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crawl {

/// An http address in normal form: scheme and host in lower case, no default port, no dot segments, no
/// fragment, escapes only where they are needed and in upper case.
struct Url {
  std::string scheme = "http";
  std::string host;
  std::uint16_t port = 80;
  std::string path = "/";
  std::string query;
  bool has_query = false;  // "/a?" and "/a" are different addresses

  /// Nothing if it is no absolute http or https address.
  static std::optional<Url> parse(std::string_view text);
  /// What `reference` means on the page at this address, RFC 3986 section 5.2.
  std::optional<Url> resolve(std::string_view reference) const;

  /// "host" or "host:port": what politeness and robots.txt are about.
  std::string authority() const;
  /// Path and query, as a server gets them.
  std::string target() const;
  std::string to_string() const;

  friend bool operator==(const Url&, const Url&) = default;
};

/// "/a/./b/../c" is "/a/c".
std::string remove_dot_segments(std::string_view path);

/// Decodes escapes of unreserved characters, writes the others in upper case, and escapes what may not stand
/// there.
std::string normalise_escapes(std::string_view text);

/// A 64-bit hash that is good enough to tell addresses and contents apart.
std::uint64_t fingerprint(std::string_view text);

}  // namespace crawl
