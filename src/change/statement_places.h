// Finds the statement at a place of a file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "change/statement_map.h"

namespace heddle {

class StatementPlaces {
 public:
  // Keeps pointers into `files`.
  explicit StatementPlaces(const std::vector<SourceFile>& files);

  // The innermost statement there. Column 0: the first that begins on the line, or else the innermost on it.
  std::optional<StatementId> at(const std::string& file, uint32_t line, uint32_t column) const;

 private:
  struct File {
    std::vector<const SourceFunction*> functions;  // by where they begin
    std::vector<uint32_t> last_line;  // the greatest so far: functions of local classes are nested
  };
  std::map<std::string, File> files_;
};

}  // namespace heddle
