#include "formatter.h"

#include <cctype>
#include <stdexcept>

namespace logging {
namespace {

void append_padded(std::string& line, const std::string& value, std::size_t width) {
  if (value.size() < width) line.append(width - value.size(), ' ');
  line += value;
}

}  // namespace

Formatter::Formatter(const std::string& pattern) {
  std::string text;
  const auto finish_text = [&] {
    if (!text.empty()) pieces_.push_back({0, 0, text});
    text.clear();
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      text += pattern[i];
      continue;
    }
    std::size_t width = 0;
    for (++i; i < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[i])) != 0; ++i) {
      width = 10 * width + static_cast<std::size_t>(pattern[i] - '0');
      if (width > 1000) throw std::invalid_argument("a field of the pattern is too wide");
    }
    if (i == pattern.size()) throw std::invalid_argument("the pattern ends within a field");
    if (pattern[i] == '%') {
      text += '%';
    } else if (std::string("lnms").find(pattern[i]) != std::string::npos) {
      finish_text();
      pieces_.push_back({pattern[i], width, ""});
    } else {
      throw std::invalid_argument(std::string("the pattern has an unknown field %") + pattern[i]);
    }
  }
  finish_text();
}

std::string Formatter::value_of(char field, const Record& record) {
  switch (field) {
    case 'l':
      return name_of(record.level);
    case 'n':
      return record.logger.empty() ? "root" : record.logger;
    case 's':
      return std::to_string(record.sequence);
    default:
      return record.message;
  }
}

std::string Formatter::format(const Record& record) const {
  std::string line;
  for (const Piece& piece : pieces_) {
    if (piece.field == 0) {
      line += piece.text;
      continue;
    }
    append_padded(line, value_of(piece.field, record), piece.width);
  }
  return line;
}

}  // namespace logging
