#include "url.h"

namespace crawl {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_alpha(char c) {
  return lower(c) >= 'a' && lower(c) <= 'z';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_unreserved(char c) {
  return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

std::uint16_t default_port(std::string_view scheme) {
  return scheme == "https" ? 443 : 80;
}

/// "scheme" of "scheme:rest", in lower case; empty if there is none.
std::string scheme_of(std::string_view text) {
  std::string scheme;
  for (const char c : text) {
    if (c == ':') return scheme;
    const bool fits = is_alpha(c) || (!scheme.empty() && (is_digit(c) || c == '+' || c == '-' || c == '.'));
    if (!fits) return "";
    scheme += lower(c);
  }
  return "";
}

bool parse_authority(std::string_view text, Url& url) {
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) text.remove_prefix(at + 1);  // credentials are not ours to send
  const std::size_t colon = text.find(':');
  std::string_view host = text.substr(0, colon);
  if (!host.empty() && host.back() == '.') host.remove_suffix(1);
  if (host.empty()) return false;
  url.host.clear();
  for (const char c : host) {
    if (!is_unreserved(c)) return false;
    url.host += lower(c);
  }
  url.port = default_port(url.scheme);
  if (colon == std::string_view::npos || colon + 1 == text.size()) return true;
  unsigned port = 0;
  for (const char c : text.substr(colon + 1)) {
    if (!is_digit(c)) return false;
    port = port * 10 + static_cast<unsigned>(c - '0');
    if (port > 65535) return false;
  }
  url.port = static_cast<std::uint16_t>(port);
  return port != 0;
}

void parse_path_and_query(std::string_view text, Url& url) {
  const std::size_t question = text.find('?');
  url.path = remove_dot_segments(normalise_escapes(text.substr(0, question)));
  if (url.path.empty()) url.path = "/";
  url.has_query = question != std::string_view::npos;
  url.query = url.has_query ? normalise_escapes(text.substr(question + 1)) : "";
}

std::string_view without_fragment(std::string_view text) {
  return text.substr(0, text.find('#'));
}

/// Pages are written by hand: spaces and line ends around an address do not belong to it.
std::string_view stripped(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

std::string remove_dot_segments(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t end = path.find('/', 1);
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(segment.size());
    const bool last = path.empty();
    if (segment == "/." || segment == ".") {
      if (last) out += '/';
    } else if (segment == "/.." || segment == "..") {
      const std::size_t parent = out.rfind('/');
      out.resize(parent == std::string::npos ? 0 : parent);
      if (last) out += '/';
    } else {
      out += segment;
    }
  }
  return out;
}

std::string normalise_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
      const int byte = hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]);
      if (byte < 128 && is_unreserved(static_cast<char>(byte))) {
        out += static_cast<char>(byte);
      } else {
        append_escape(out, static_cast<unsigned char>(byte));
      }
      i += 2;
    } else if (c == '%' || c <= 0x20 || c == 0x7f ||
               std::string_view("\"<>\\^`{|}").find(c) != std::string_view::npos) {
      append_escape(out, static_cast<unsigned char>(c));  // also bytes above 127, which are negative as char
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<Url> Url::parse(std::string_view text) {
  text = without_fragment(stripped(text));
  Url url;
  url.scheme = scheme_of(text);
  if (url.scheme != "http" && url.scheme != "https") return std::nullopt;
  text.remove_prefix(url.scheme.size() + 1);
  if (text.substr(0, 2) != "//") return std::nullopt;
  text.remove_prefix(2);
  const std::size_t end = text.find_first_of("/?");
  if (!parse_authority(text.substr(0, end), url)) return std::nullopt;
  parse_path_and_query(end == std::string_view::npos ? std::string_view() : text.substr(end), url);
  return url;
}

std::optional<Url> Url::resolve(std::string_view reference) const {
  reference = without_fragment(stripped(reference));
  if (!scheme_of(reference).empty()) return parse(reference);
  if (reference.substr(0, 2) == "//") return parse(scheme + ":" + std::string(reference));
  Url url = *this;
  if (reference.empty()) return url;
  if (reference.front() == '/') {
    parse_path_and_query(reference, url);
  } else if (reference.front() == '?') {
    url.has_query = true;
    url.query = normalise_escapes(reference.substr(1));
  } else {
    parse_path_and_query(path.substr(0, path.rfind('/') + 1) + std::string(reference), url);
  }
  return url;
}

std::string Url::authority() const {
  return port == default_port(scheme) ? host : host + ":" + std::to_string(port);
}

std::string Url::target() const {
  return has_query ? path + "?" + query : path;
}

std::string Url::to_string() const {
  return scheme + "://" + authority() + target();
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  // The low bits of FNV-1a are weak for short texts; shards and filters use them.
  hash ^= hash >> 32;
  hash *= 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

}  // namespace crawl
