// LineMap: which line of the base is which line of the head, from a unified diff.
//
// What `heddle impact` has of a change if it is given two traces and no repository. It is coarser than a
// StatementMap: a line that was only laid out anew counts as changed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace heddle {

class LineMap {
 public:
  struct Line {
    std::string file;
    uint32_t line = 0;
    bool is_changed = false;  // it is not what it was, or is new
    bool is_new = false;      // no line of the base stands for it
  };

  LineMap() = default;  // nothing has changed
  // As `git diff BASE HEAD` prints it. `name` is what the text is called in errors.
  static Expected<LineMap> parse(std::string_view diff, const std::string& name);

  bool is_empty() const { return files_.empty(); }

  // The line of the base that a line of the head was.
  Line to_base(const std::string& file, uint32_t line) const;

  // The folder in which a version lies, with a slash at its end, if this is one of its files and the diff
  // names it.
  std::optional<std::string> base_root(std::string_view path) const { return root(path, /*of_head=*/false); }
  std::optional<std::string> head_root(std::string_view path) const { return root(path, /*of_head=*/true); }

 private:
  // Lines of the head from `begin` on, up to the next piece.
  struct Piece {
    uint32_t begin = 1;
    int64_t shift = 0;  // to the line of the base
    bool is_changed = false;
    bool is_new = false;
  };
  struct File {
    std::string base;  // its name there; empty if it is new
    std::vector<Piece> pieces;
  };
  class Parser;

  std::optional<std::string> root(std::string_view path, bool of_head) const;

  std::map<std::string, File> files_;  // by name in the head
};

}  // namespace heddle
