// Table: results in rows and columns, printed for a terminal or as Markdown.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::bench {

class Table {
 public:
  explicit Table(std::vector<std::string> headings) : lines_{std::move(headings)} {}

  // As many cells as there are headings.
  void add(std::vector<std::string> cells) { lines_.push_back(std::move(cells)); }
  std::string print(bool markdown) const;

 private:
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace heddle::bench
