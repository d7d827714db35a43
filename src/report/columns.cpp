#include "report/columns.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr std::string_view kSeparator = " │ ";
constexpr size_t kSeparatorWidth = 3;
constexpr std::string_view kEndLabel = "end";
constexpr size_t kMinSourceWidth = 10;
constexpr size_t kWideColumn = 44;

// The most that positions take of a narrow column: "interest_…:11".
constexpr size_t kNarrowPosition = 13;

// Exactly `width` columns. Of a file name that is too long the end goes, never the line number.
std::string fit_position(const std::string& position, size_t width) {
  const size_t colon = position.rfind(':');
  if (display_width(position) <= width || colon == std::string::npos) return fit_text(position, width);
  const std::string line = position.substr(colon);
  const std::string name = cut_text(position.substr(0, colon), width - std::min(width, display_width(line)));
  return fit_text(name + line, width);
}

// One cell before it is fitted into its column.
struct Cell {
  std::string position;  // "queue.cpp:41"
  std::string text;      // the source
  std::string tag;       // "[lock]": never cut away
  bool is_changed = false;
};

// "bank.cpp:41", or the function's name if there is no file.
std::string position_of(const SourceLine& place) {
  if (place.file.empty()) return place.function;
  return fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line);
}

class ColumnRenderer {
 public:
  ColumnRenderer(const Flow& flow, size_t width, const Paint& paint) : flow_(flow), paint_(paint) {
    label_width_ = kEndLabel.size();
    for (const FlowRow& row : flow.rows) {
      if (!row.is_gap()) label_width_ = std::max(label_width_, std::to_string(row.step.event).size());
    }
    size_t columns = std::max<size_t>(flow.threads.size(), 1);
    size_t used = label_width_ + 2 + (columns - 1) * kSeparatorWidth;
    size_t available = width > used ? width - used : 0;
    column_width_ = std::max(kMinColumnWidth, available / columns);
  }

  std::vector<std::string> run() {
    find_common_file();
    measure_positions();
    if (!common_file_.empty()) {
      lines_.push_back(fmt::format("{:{}}  {}", "", label_width_, paint_.dim("lines of " + common_file_)));
    }
    std::vector<std::string> names;
    for (const FlowThread& thread : flow_.threads) names.push_back(thread.label);
    add_line("", names, [&](const std::string& text) { return paint_.bold(text); });
    for (const FlowRow& row : flow_.rows) add_row(row);
    add_ends();
    return std::move(lines_);
  }

 private:
  template <typename Style>
  void add_line(std::string_view label, const std::vector<std::string>& cells, Style style) {
    std::string line = fmt::format("{}  ", paint_.dim(fmt::format("{:>{}}", label, label_width_)));
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += paint_.dim(kSeparator);
      line += style(fit_text(cells[i], column_width_));
    }
    while (line.ends_with(' ')) line.pop_back();
    lines_.push_back(std::move(line));
  }

  // A place outside the user's code has no position worth showing.
  Cell cell_at(const SourceLine& place) const {
    if (!place.is_user_code) return {};
    return {.position = common_file_.empty() ? position_of(place) : std::to_string(place.line),
            .text = place.text,
            .tag = {},
            .is_changed = place.is_changed};
  }

  Cell step_cell(const FlowStep& step) const {
    Cell cell = cell_at(step.place);
    if (cell.text.empty()) {
      cell.text = step.description;
    } else if (!step.operations.empty() && !says(cell.text, step.operations)) {
      cell.tag = fmt::format("[{}]", step.operations);
    }
    return cell;
  }

  Cell end_cell(const SourceLine& end) const {
    Cell cell = cell_at(end);
    if (cell.position.empty() && !end.function.empty()) cell.text = "in " + end.function;
    return cell;
  }

  // "a.lock();" needs no "[lock]" beside it.
  static bool says(std::string_view source, std::string_view operations) {
    std::string_view word = operations.substr(0, operations.find_first_of(" ,"));
    bool is_single = operations.find(',') == std::string_view::npos;
    return is_single && source.find(word) != std::string_view::npos;
  }

  // Of all places that are shown: the column, and the place.
  template <typename Visit>
  void visit_places(Visit visit) const {
    for (const FlowRow& row : flow_.rows)
      if (!row.is_gap() && row.step.place.is_user_code) visit(row.thread, row.step.place);
    for (size_t column = 0; column < flow_.threads.size(); ++column)
      if (flow_.threads[column].end.is_user_code) visit(column, flow_.threads[column].end);
  }

  // Where columns are narrow and all lines are in one file, its name would only take the room of the source.
  void find_common_file() {
    if (column_width_ >= kWideColumn) return;
    std::set<std::string> files;
    visit_places([&](size_t, const SourceLine& place) { files.insert(place.file); });
    if (files.size() == 1) common_file_ = *files.begin();
  }

  // Source texts of a column begin at the same place, unless a long file name would push them out of it.
  void measure_positions() {
    position_widths_.assign(flow_.threads.size(), 0);
    const size_t most = column_width_ >= kWideColumn ? column_width_ - kMinSourceWidth : kNarrowPosition;
    visit_places([&](size_t column, const SourceLine& place) {
      const size_t width = std::min(display_width(cell_at(place).position), most);
      position_widths_[column] = std::max(position_widths_[column], width);
    });
  }

  std::string cell_text(const Cell& cell, size_t column) const {
    std::string tag = cell.tag.empty() ? "" : "  " + cut_text(cell.tag, column_width_ / 2);
    size_t width = column_width_ - display_width(tag);
    if (cell.position.empty()) return cut_text(cell.text, width) + tag;
    std::string position =
        fit_position(cell.position, position_widths_[column]) + (cell.is_changed ? " +" : "  ");
    return position + cut_source(cell.text, width - std::min(width, display_width(position))) + tag;
  }

  void add_row(const FlowRow& row) {
    std::vector<std::string> cells(flow_.threads.size());
    if (row.is_gap()) {
      for (size_t column = 0; column < cells.size(); ++column)
        if (row.skipped[column] != 0)
          cells[column] = fmt::format("… {} …", count_of(row.skipped[column], "operation"));
      add_line("", cells, [&](const std::string& text) { return paint_.dim(text); });
      return;
    }
    cells[row.thread] = cell_text(step_cell(row.step), row.thread);
    const bool is_changed = row.step.place.is_changed;
    add_line(std::to_string(row.step.event), cells,
             [&](const std::string& text) { return is_changed ? paint_.changed(text) : text; });
  }

  // Where the threads stand when the execution stops is one moment: one row, with the reasons below it.
  void add_ends() {
    std::vector<std::string> places;
    std::vector<std::string> notes;
    for (size_t column = 0; column < flow_.threads.size(); ++column) {
      places.push_back(cell_text(end_cell(flow_.threads[column].end), column));
      notes.push_back(flow_.threads[column].end_note);
    }
    const auto is_empty = [](const std::string& text) { return text.empty(); };
    if (std::all_of(places.begin(), places.end(), is_empty) &&
        std::all_of(notes.begin(), notes.end(), is_empty)) {
      return;
    }
    add_line(kEndLabel, places, [](const std::string& text) { return text; });
    add_line("", notes, [&](const std::string& text) { return paint_.failure(text); });
  }

  const Flow& flow_;
  const Paint& paint_;
  size_t label_width_ = 0;
  size_t column_width_ = 0;
  std::string common_file_;  // empty: positions name their file
  std::vector<size_t> position_widths_;
  std::vector<std::string> lines_;
};

}  // namespace

size_t columns_that_fit(size_t width) {
  return std::clamp<size_t>(width / (kMinColumnWidth + kSeparatorWidth), 2, 4);
}

std::vector<std::string> render_columns(const Flow& flow, size_t width, const Paint& paint) {
  return ColumnRenderer(flow, width, paint).run();
}

}  // namespace heddle
