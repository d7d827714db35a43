// Table: the benchmark's result, one row per measure, printed for a terminal or as Markdown.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

struct Row {
  std::string measure;
  std::string native;
  std::string libtsan;
  std::string heddle;
  std::string comparison;  // heddle against libtsan, or what the row says in one figure
  std::string bar;         // the figure to hold, and whether it was
};

class Table {
 public:
  void add(Row row) { rows_.push_back(std::move(row)); }
  std::string print(bool markdown) const;

 private:
  std::vector<Row> rows_;
};

}  // namespace heddle::bench
