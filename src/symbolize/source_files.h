// SourceFiles: lines of source text by file and number, as far as the files are there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class SourceFiles {
 public:
  // The text of line `number` (from 1) without leading and trailing blanks; tabs become blanks. Nothing if
  // the file cannot be read or is shorter.
  std::optional<std::string_view> line(const std::string& file, uint32_t number);

  // Text to use for `file` instead of reading it.
  void provide(const std::string& file, std::string_view text);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle
