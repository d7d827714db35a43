#include "trace/schedule_words.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace heddle::trace {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_printable(char c) {
  return c >= ' ' && c <= '~';
}

bool is_bare(char c) {
  return is_printable(c) && c != ' ' && c != '"' && c != '\\' && c != '#';
}

// Takes one escape sequence, without its backslash, off the front of `rest`.
Expected<char> take_escape(std::string_view& rest) {
  if (rest.empty()) {
    return usage_error("a quote is not closed");
  }
  const char kind = rest.front();
  rest.remove_prefix(1);
  switch (kind) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '\\':
    case '"':
      return kind;
    case 'x': {
      unsigned value = 0;
      const std::string_view digits = rest.substr(0, 2);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
      if (error != std::errc() || end != digits.data() + 2) {
        return usage_error("\\x needs two hexadecimal digits");
      }
      if (value == 0) {
        return usage_error("\\x00 cannot be part of a word");
      }
      rest.remove_prefix(2);
      return static_cast<char>(value);
    }
    default:
      return usage_error("unknown escape: expected \\\\, \\\", \\n, \\t or \\xNN");
  }
}

Expected<Word> take_quoted(std::string_view& rest) {
  Word word{.text = {}, .quoted = true};
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    char c = rest.front();
    rest.remove_prefix(1);
    if (c == '\0') {
      return usage_error("a NUL byte cannot be part of a word");
    }
    if (c == '\\') {
      const auto escaped = take_escape(rest);
      if (!escaped) {
        return tl::unexpected(escaped.error());
      }
      c = *escaped;
    }
    word.text += c;
  }
  if (rest.empty()) {
    return usage_error("a quote is not closed");
  }
  rest.remove_prefix(1);
  return word;
}

}  // namespace

Expected<std::vector<Word>> split_words(std::string_view line) {
  std::vector<Word> words;
  while (true) {
    while (!line.empty() && is_space(line.front())) {
      line.remove_prefix(1);
    }
    if (line.empty() || line.front() == '#') {
      return words;
    }
    if (line.front() == '"') {
      auto word = take_quoted(line);
      if (!word) {
        return tl::unexpected(word.error());
      }
      words.push_back(std::move(*word));
    } else {
      const auto end = std::find_if_not(line.begin(), line.end(), [](char c) { return is_bare(c); });
      const auto size = static_cast<size_t>(end - line.begin());
      words.push_back({.text = std::string(line.substr(0, size)), .quoted = false});
      line.remove_prefix(size);
    }
    if (!line.empty() && !is_space(line.front()) && line.front() != '#') {
      return usage_error(
          fmt::format("unexpected byte 0x{:02x} outside quotes", static_cast<unsigned char>(line.front())));
    }
  }
}

bool is_bare(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_bare(c); });
}

std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (is_printable(c)) {
      quoted += c;
    } else {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return quoted + '"';
}

std::string print_word(std::string_view text) {
  return is_bare(text) ? std::string(text) : quote(text);
}

bool is_point_key(std::string_view text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace heddle::trace
