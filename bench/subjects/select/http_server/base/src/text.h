// Small functions on text that the protocol needs: comparison without case, splitting, percent encoding,
// numbers, dates. None of them depends on the locale.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace web {

char to_lower(char c);
std::string to_lower(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);

/// Without leading and trailing spaces and tabs.
std::string_view trim(std::string_view text);

/// The parts between separators; empty parts are kept. An empty text has one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Whether `c` may be part of a token (method and header names), RFC 9110 section 5.6.2.
bool is_token_char(char c);
bool is_token(std::string_view text);

/// Decodes %XX, and + as a space if asked to; nothing if an escape is incomplete.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space = false);
/// Escapes everything but letters, digits and -._~
std::string percent_encode(std::string_view text);

/// "a=1&b=2" as a map; of repeated names the last one counts.
std::map<std::string, std::string> parse_query(std::string_view query);

/// A decimal or hexadecimal number that takes all of the text and fits.
std::optional<std::uint64_t> parse_decimal(std::string_view text);
std::optional<std::uint64_t> parse_hex(std::string_view text);

/// The absolute path with "." and ".." resolved; nothing if it would lead above the root.
std::optional<std::string> normalise_path(std::string_view path);

/// "Sun, 06 Nov 1994 08:49:37 GMT" for seconds since 1970, and back.
std::string format_http_date(std::int64_t seconds);
std::optional<std::int64_t> parse_http_date(std::string_view text);

/// Quotes and control characters escaped for a JSON string (without the surrounding quotes).
std::string json_escape(std::string_view text);

/// A 64-bit FNV-1a hash, as 16 hexadecimal digits: good for entity tags, not for security.
std::string fingerprint(std::string_view content);

}  // namespace web
