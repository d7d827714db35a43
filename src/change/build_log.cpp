#include "change/build_log.h"

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

constexpr size_t kScreen = 40;  // lines
constexpr size_t kLongLine = 400;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

bool tells_an_error(std::string_view line) {
  return contains(line, "error:") || contains(line, "Error ") || contains(line, "CMake Error") ||
         contains(line, "undefined reference") || contains(line, "FAILED:") ||
         contains(line, "No rule to make");
}

}  // namespace

std::string failed_target(std::string_view log) {
  for (std::string_view line : lines_of(log)) {
    constexpr std::string_view kNinja = "FAILED: ";
    if (line.starts_with(kNinja)) {
      std::string_view rest = line.substr(kNinja.size());
      if (rest.starts_with("[code=")) rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
      return std::string(rest.substr(0, rest.find(' ')));
    }
    // make[2]: *** [app/CMakeFiles/queue_test.dir/build.make:76: app/queue.o] Error 1
    if (const size_t stars = line.find("*** ["); stars != std::string_view::npos) {
      std::string_view rest = line.substr(stars + 5);
      rest = rest.substr(0, rest.find(']'));
      if (const size_t space = rest.rfind(": "); space != std::string_view::npos)
        rest.remove_prefix(space + 2);
      return std::string(rest);
    }
  }
  return "";
}

std::string telling_part(std::string_view log) {
  const std::vector<std::string_view> lines = lines_of(log);
  auto first = std::find_if(lines.begin(), lines.end(), tells_an_error);
  if (first == lines.end()) first = lines.size() > kScreen ? lines.end() - kScreen : lines.begin();
  std::string text;
  size_t count = 0;
  for (; first != lines.end() && count < kScreen; ++first, ++count) {
    text += first->substr(0, kLongLine);
    text += '\n';
  }
  return text;
}

}  // namespace heddle
