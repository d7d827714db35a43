// SourceText: C++ that is written line by line, and of each line what it was written for.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::generate {

// What a line of a source was written for: if the compiler refuses the line, that has to go.
struct LineOwner {
  enum class Kind : uint8_t { kNothing, kOperation, kFixture, kField, kInclude, kText };
  Kind kind = Kind::kNothing;
  uint32_t index = 0;  // of the operation, fixture, field, include or structure
};

struct DriverSource {
  std::string text;
  std::vector<LineOwner> owners;        // by line, from 1
  std::vector<std::string> structures;  // that have texts
  std::vector<std::string> fields;      // that the state reads
};

class SourceText {
 public:
  // A text of any number of lines.
  void add(const std::string& text, LineOwner owner = {});
  DriverSource take() { return std::move(source_); }

 private:
  DriverSource source_{{}, std::vector<LineOwner>(1), {}, {}};  // there is no line 0
};

// Of a header's name; one with < or " around it is complete.
std::string include_line(const std::string& header);
std::string string_literal(const std::string& text);

}  // namespace heddle::generate
