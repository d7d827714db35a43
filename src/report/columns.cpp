#include "report/columns.h"

#include <algorithm>
#include <set>

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
};

class ColumnRenderer {
 public:
  ColumnRenderer(ReportContext& context, const Interleaving& interleaving, const FailureStory& story,
                 size_t width, const Paint& paint)
      : context_(context), interleaving_(interleaving), story_(story), paint_(paint) {
    label_width_ = kEndLabel.size();
    for (const InterleavingRow& row : interleaving.rows) {
      if (!row.is_gap()) label_width_ = std::max(label_width_, std::to_string(row.step.event).size());
    }
    size_t columns = std::max<size_t>(interleaving.threads.size(), 1);
    size_t used = label_width_ + 2 + (columns - 1) * kSeparatorWidth;
    size_t available = width > used ? width - used : 0;
    column_width_ = std::max(kMinColumnWidth, available / columns);
  }

  std::vector<std::string> run() {
    find_common_file();
    measure_positions();
    if (!common_file_.empty()) {
      lines_.push_back(
          fmt::format("{:{}}  {}", "", label_width_, paint_.dim("lines of " + context_.path(common_file_))));
    }
    std::vector<std::string> names;
    for (uint32_t thread : interleaving_.threads) names.push_back(context_.thread(thread));
    add_line("", names, [&](const std::string& text) { return paint_.bold(text); });
    for (const InterleavingRow& row : interleaving_.rows) add_row(row);
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

  size_t column_of(uint32_t thread) const {
    auto found = std::find(interleaving_.threads.begin(), interleaving_.threads.end(), thread);
    return static_cast<size_t>(found - interleaving_.threads.begin());
  }

  // A place outside the user's code has no position worth showing.
  Cell cell_at(const Place& place) {
    if (!context_.symbols.is_in_user_code(place.site, place.context)) return {};
    const Frame& frame = context_.symbols.line_of_interest(place.site, place.context);
    Cell cell;
    cell.position = common_file_.empty() ? file_line(frame) : std::to_string(frame.line);
    if (auto source = context_.sources.line(frame.file, frame.line)) cell.text = printable(*source);
    return cell;
  }

  Cell step_cell(const InterleavingStep& step) {
    Cell cell = cell_at(step.place);
    if (cell.text.empty()) {
      cell.text = step.description;
    } else if (!step.operations.empty() && !says(cell.text, step.operations)) {
      cell.tag = fmt::format("[{}]", step.operations);
    }
    return cell;
  }

  Cell end_cell(const ThreadEnd& end) {
    Cell cell = cell_at(end.place);
    if (cell.position.empty()) {
      const Frame& frame = context_.symbols.line_of_interest(end.place.site, end.place.context);
      if (!frame.function.empty()) cell.text = "in " + frame.function;
    }
    return cell;
  }

  // "a.lock();" needs no "[lock]" beside it.
  static bool says(std::string_view source, std::string_view operations) {
    std::string_view word = operations.substr(0, operations.find_first_of(" ,"));
    bool is_single = operations.find(',') == std::string_view::npos;
    return is_single && source.find(word) != std::string_view::npos;
  }

  // Where columns are narrow and all lines are in one file, its name would only take the room of the source.
  void find_common_file() {
    if (column_width_ >= kWideColumn) return;
    std::set<std::string> files;
    auto add = [&](const Place& place) {
      if (!context_.symbols.is_in_user_code(place.site, place.context)) return;
      files.insert(context_.symbols.line_of_interest(place.site, place.context).file);
    };
    for (const InterleavingRow& row : interleaving_.rows) {
      if (!row.is_gap()) add(row.step.place);
    }
    for (const auto& [thread, end] : story_.ends) {
      if (column_of(thread) < interleaving_.threads.size() && end.place.site != 0) add(end.place);
    }
    if (files.size() == 1) common_file_ = *files.begin();
  }

  // Source texts of a column begin at the same place, unless a long file name would push them out of it.
  void measure_positions() {
    position_widths_.assign(interleaving_.threads.size(), 0);
    const size_t most = column_width_ >= kWideColumn ? column_width_ - kMinSourceWidth : kNarrowPosition;
    auto measure = [&](uint32_t thread, const Place& place) {
      size_t column = column_of(thread);
      if (column == position_widths_.size()) return;
      size_t width = std::min(display_width(cell_at(place).position), most);
      position_widths_[column] = std::max(position_widths_[column], width);
    };
    for (const InterleavingRow& row : interleaving_.rows) {
      if (!row.is_gap()) measure(row.step.thread, row.step.place);
    }
    for (const auto& [thread, end] : story_.ends) measure(thread, end.place);
  }

  std::string cell_text(const Cell& cell, size_t column) const {
    std::string tag = cell.tag.empty() ? "" : "  " + cut_text(cell.tag, column_width_ / 2);
    size_t width = column_width_ - display_width(tag);
    if (cell.position.empty()) return cut_text(cell.text, width) + tag;
    std::string position = fit_position(cell.position, position_widths_[column]) + "  ";
    return position + cut_source(cell.text, width - std::min(width, display_width(position))) + tag;
  }

  void add_row(const InterleavingRow& row) {
    std::vector<std::string> cells(interleaving_.threads.size());
    if (row.is_gap()) {
      for (const InterleavingRow::Skipped& skipped : row.gap) {
        cells[column_of(skipped.thread)] = fmt::format("… {} …", count_of(skipped.events, "operation"));
      }
      add_line("", cells, [&](const std::string& text) { return paint_.dim(text); });
      return;
    }
    size_t column = column_of(row.step.thread);
    cells[column] = cell_text(step_cell(row.step), column);
    add_line(std::to_string(row.step.event), cells, [](const std::string& text) { return text; });
  }

  // Where the threads stand when the execution stops is one moment: one row, with the reasons below it.
  void add_ends() {
    std::vector<std::string> places(interleaving_.threads.size());
    std::vector<std::string> notes(interleaving_.threads.size());
    for (const auto& [thread, end] : story_.ends) {
      size_t column = column_of(thread);
      if (column == places.size()) continue;
      if (end.place.site != 0) places[column] = cell_text(end_cell(end), column);
      notes[column] = end.note;
    }
    auto is_empty = [](const std::string& text) { return text.empty(); };
    if (std::all_of(places.begin(), places.end(), is_empty) &&
        std::all_of(notes.begin(), notes.end(), is_empty)) {
      return;
    }
    add_line(kEndLabel, places, [](const std::string& text) { return text; });
    add_line("", notes, [&](const std::string& text) { return paint_.failure(text); });
  }

  ReportContext& context_;
  const Interleaving& interleaving_;
  const FailureStory& story_;
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

std::vector<std::string> render_columns(ReportContext& context, const Interleaving& interleaving,
                                        const FailureStory& story, size_t width, const Paint& paint) {
  return ColumnRenderer(context, interleaving, story, width, paint).run();
}

}  // namespace heddle
