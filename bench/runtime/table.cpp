#include "table.h"

#include <algorithm>
#include <array>

namespace heddle::bench {
namespace {

using Cells = std::array<std::string, 6>;

Cells cells_of(const Row& row) {
  return {row.measure, row.native, row.libtsan, row.heddle, row.comparison, row.bar};
}

// Columns on a screen: bytes that continue a UTF-8 character take none.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

std::string Table::print(bool markdown) const {
  std::vector<Cells> lines{{"measure", "native", "libtsan", "heddle", "heddle : libtsan", "bar"}};
  for (const Row& row : rows_) lines.push_back(cells_of(row));
  std::array<size_t, 6> widths{};
  for (const Cells& cells : lines) {
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }

  std::string text;
  const auto print_line = [&](const Cells& cells) {
    text += markdown ? "| " : "";
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - width_of(cells[i]), ' ');
      text += i == 0 ? cells[i] + padding : padding + cells[i];
      text += markdown ? " | " : "  ";
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  print_line(lines[0]);
  text += markdown ? "|---|--:|--:|--:|--:|--:|\n" : "";
  for (size_t i = 1; i < lines.size(); ++i) print_line(lines[i]);
  return text;
}

}  // namespace heddle::bench
