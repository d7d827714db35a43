// Messages as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "level.h"

namespace logging {

// One message on its way from a logger to the handlers.
struct Record {
  Level level = Level::kInfo;
  std::string logger;
  std::string message;
  std::uint64_t sequence = 0;
};

// Writes records after a pattern: %l is the level, %n the name of the logger, %m the message, %s the sequence
// number,
// %% a percent sign. A number after the percent sign is the least width: "%8l". Does not change once it is
// made.
class Formatter {
 public:
  static constexpr const char* kDefaultPattern = "%s %l %n: %m";

  // Throws std::invalid_argument for a pattern that it does not understand.
  explicit Formatter(const std::string& pattern = kDefaultPattern);

  std::string format(const Record& record) const;

 private:
  // A piece of text as it is, or a field of the record.
  struct Piece {
    char field = 0;
    std::size_t width = 0;
    std::string text;
  };

  static std::string value_of(char field, const Record& record);

  std::vector<Piece> pieces_;
};

}  // namespace logging
