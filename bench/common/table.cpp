#include "common/table.h"

#include <algorithm>

namespace heddle::bench {
namespace {

// Columns on a screen: bytes that continue a UTF-8 character take none.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string Table::print(bool markdown) const {
  const size_t columns = lines_[0].size();
  std::vector<size_t> widths(columns);
  for (const std::vector<std::string>& cells : lines_) {
    for (size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }

  std::string text;
  const auto print_line = [&](const std::vector<std::string>& cells) {
    text += markdown ? "| " : "";
    for (size_t i = 0; i < columns; ++i) {
      const std::string padding(widths[i] - width_of(cells[i]), ' ');
      text += i == 0 ? cells[i] + padding : padding + cells[i];
      text += markdown ? " | " : "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  print_line(lines_[0]);
  if (markdown) {
    text += "|---|";
    for (size_t i = 1; i < columns; ++i) text += "--:|";
    text += '\n';
  }
  for (size_t i = 1; i < lines_.size(); ++i) print_line(lines_[i]);
  return text;
}

}  // namespace heddle::bench
