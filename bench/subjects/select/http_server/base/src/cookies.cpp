#include "cookies.h"

#include "text.h"

namespace web {

std::map<std::string, std::string> parse_cookies(const Headers& headers) {
  std::map<std::string, std::string> cookies;
  for (const std::string_view line : headers.all("Cookie")) {
    for (const std::string_view part : split(line, ';')) {
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view name = trim(part.substr(0, equals));
      std::string_view value = trim(part.substr(equals + 1));
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);
      }
      if (is_token(name) && is_cookie_value(value)) cookies.emplace(name, value);
    }
  }
  return cookies;
}

std::optional<std::string> SetCookie::format() const {
  if (!is_token(name) || !is_cookie_value(value)) return std::nullopt;
  std::string text = name + "=" + value;
  if (!path.empty()) text += "; Path=" + path;
  if (max_age) text += "; Max-Age=" + std::to_string(*max_age);
  if (http_only) text += "; HttpOnly";
  if (!same_site.empty()) text += "; SameSite=" + same_site;
  return text;
}

bool is_cookie_value(std::string_view value) {
  for (const char c : value) {
    if (c <= 0x20 || c == 0x7f || c == '"' || c == ',' || c == ';' || c == '\\') return false;
  }
  return true;
}

}  // namespace web
