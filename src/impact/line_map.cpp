#include "impact/line_map.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace heddle {
namespace {

// "a/src/x.cpp\t2024-01-01" is src/x.cpp; "/dev/null" is no file.
std::string file_name(std::string_view text) {
  text = text.substr(0, text.find('\t'));
  if (text == "/dev/null") return {};
  if (text.starts_with("a/") || text.starts_with("b/")) text.remove_prefix(2);
  return std::string(text);
}

// Of "-12,3" or "+12": where a hunk begins and how many lines it has.
struct Range {
  uint32_t begin = 0;
  uint32_t count = 1;
};
std::optional<Range> read_range(std::string_view text) {
  Range range;
  const char* const end = text.data() + text.size();
  const auto [after, failed] = std::from_chars(text.data() + 1, end, range.begin);
  if (failed != std::errc()) return std::nullopt;
  if (after == end) return range;
  if (*after != ',') return std::nullopt;
  const auto [last, wrong] = std::from_chars(after + 1, end, range.count);
  if (wrong != std::errc() || last != end) return std::nullopt;
  return range;
}

}  // namespace

class LineMap::Parser {
 public:
  explicit Parser(LineMap& map) : map_(map) {}

  // False if it is no line of a diff.
  bool read(std::string_view line) {
    if (left_base_ > 0 || left_head_ > 0) return read_in_hunk(line);
    is_diff_ |= std::ranges::any_of(kSigns, [&](std::string_view sign) { return line.starts_with(sign); });
    is_blank_ &= line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (line.starts_with("--- ")) {
      base_ = file_name(line.substr(4));
    } else if (line.starts_with("+++ ")) {
      const std::string head = file_name(line.substr(4));
      file_ = head.empty() ? nullptr : &map_.files_[head];
      if (file_ != nullptr) file_->base = base_;
    } else if (line.starts_with("@@ ")) {
      return begin_hunk(line);
    }
    return true;  // words of git, such as its "index" lines
  }
  bool is_in_hunk() const { return left_base_ > 0 || left_head_ > 0; }
  // Whether anything in the text was of a diff. That of two equal trees is empty.
  bool is_diff() const { return is_diff_ || is_blank_; }

 private:
  // How lines begin that tools put into diffs. Of files that are not text, there is nothing else.
  static constexpr std::array<std::string_view, 6> kSigns = {"--- ",  "+++ ",     "@@ ",
                                                             "diff ", "Only in ", "Binary files "};

  bool begin_hunk(std::string_view line) {
    const size_t minus = line.find('-');
    const size_t plus = line.find(" +");
    const size_t end = line.find(" @@");
    if (minus == std::string_view::npos || plus == std::string_view::npos || end == std::string_view::npos ||
        plus < minus || end < plus)
      return false;
    const std::optional<Range> base = read_range(line.substr(minus, plus - minus));
    const std::optional<Range> head = read_range(line.substr(plus + 1, end - plus - 1));
    if (!base || !head) return false;
    // A range without lines is named by the line before it.
    at_base_ = base->begin + (base->count == 0);
    at_head_ = head->begin + (head->count == 0);
    left_base_ = base->count;
    left_head_ = head->count;
    removed_ = 0;
    return true;
  }

  bool read_in_hunk(std::string_view line) {
    const char sign = line.empty() ? ' ' : line.front();
    if (sign == '\\') return true;  // "No newline at end of file"
    if (sign == '-') {
      if (left_base_ == 0) return false;
      --left_base_;
      ++at_base_;
      ++removed_;
    } else if (sign == '+') {
      if (left_head_ == 0) return false;
      --left_head_;
      // Lines that take the place of others stand for them, one by one.
      const bool is_new = removed_ == 0;
      add({.begin = at_head_,
           .shift = int64_t{at_base_} - removed_ - at_head_,
           .is_changed = true,
           .is_new = is_new});
      if (!is_new) --removed_;
      ++at_head_;
    } else if (sign == ' ') {
      if (left_base_ == 0 || left_head_ == 0) return false;
      --left_base_;
      --left_head_;
      go_on();
      ++at_base_;
      ++at_head_;
    } else {
      return false;
    }
    if (!is_in_hunk()) go_on();
    return true;
  }

  // From here on lines are the same until the diff says otherwise.
  void go_on() {
    removed_ = 0;
    add({.begin = at_head_, .shift = int64_t{at_base_} - at_head_});
  }
  void add(const Piece& piece) {
    if (file_ != nullptr) file_->pieces.push_back(piece);
  }

  LineMap& map_;
  bool is_diff_ = false;
  bool is_blank_ = true;
  std::string base_;
  File* file_ = nullptr;
  uint32_t at_base_ = 0;
  uint32_t at_head_ = 0;
  uint32_t left_base_ = 0;
  uint32_t left_head_ = 0;
  uint32_t removed_ = 0;  // lines of the base for which none of the head stands yet
};

Expected<LineMap> LineMap::parse(std::string_view diff, const std::string& name) {
  LineMap map;
  Parser parser(map);
  size_t number = 0;
  while (!diff.empty()) {
    ++number;
    const size_t end = std::min(diff.find('\n'), diff.size());
    if (!parser.read(diff.substr(0, end)))
      return usage_error(fmt::format("{}:{}: this is no line of a unified diff", name, number));
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  if (parser.is_in_hunk()) return usage_error(fmt::format("{}:{}: the diff ends too early", name, number));
  if (!parser.is_diff()) return usage_error(fmt::format("{}: this is no unified diff", name));
  return map;
}

LineMap::Line LineMap::to_base(const std::string& file, uint32_t line) const {
  const auto known = files_.find(file);
  if (known == files_.end()) return {.file = file, .line = line};
  const std::vector<Piece>& pieces = known->second.pieces;
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), line,
                                      [](uint32_t at, const Piece& piece) { return at < piece.begin; });
  const Piece piece = after == pieces.begin() ? Piece{} : *std::prev(after);
  return {.file = known->second.base,
          .line = static_cast<uint32_t>(line + piece.shift),
          .is_changed = piece.is_changed,
          .is_new = piece.is_new};
}

std::optional<std::string> LineMap::root(std::string_view path, bool of_head) const {
  for (const auto& [head, file] : files_) {
    const std::string& name = of_head ? head : file.base;
    if (!name.empty() && path.ends_with("/" + name))
      return std::string(path.substr(0, path.size() - name.size()));
  }
  return std::nullopt;
}

}  // namespace heddle
