#include "trace/printable.h"

#include <fmt/format.h>

namespace heddle::trace {
namespace {

void append_escaped(std::string& shown, std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      shown += c;
  }
}

}  // namespace

std::string printable(std::string_view text, size_t limit) {
  std::string shown;
  const size_t tail = limit / 4;
  const bool is_long = text.size() > limit;
  append_escaped(shown, is_long ? text.substr(0, limit - tail) : text);
  if (is_long) {
    shown += "…";
    append_escaped(shown, text.substr(text.size() - tail));
  }
  return shown;
}

}  // namespace heddle::trace
