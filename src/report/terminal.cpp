#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "report/columns.h"
#include "report/interleaving.h"
#include "report/tellers.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr size_t kMinWidth = 40;
constexpr size_t kMaxWidth = 240;  // longer lines are hard to follow

size_t terminal_width(int fd) {
  size_t width = 0;
  if (const char* columns = std::getenv("COLUMNS")) width = std::strtoul(columns, nullptr, 10);
  winsize size{};
  if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? TerminalOptions{}.width : std::clamp(width, kMinWidth, kMaxWidth);
}

void render_details(std::ostream& out, const FailureStory& story) {
  for (const Paragraph& paragraph : story.details) {
    out << "  " << paragraph.text << '\n';
    for (const std::string& line : paragraph.lines) out << "      " << line << '\n';
  }
}

void render_interleaving(std::ostream& out, ReportContext& context, const FailureStory& story,
                         const TerminalOptions& options, const Paint& paint) {
  InterleavingLimits limits{.rows = options.max_rows, .threads = columns_that_fit(options.width)};
  Interleaving interleaving = select_interleaving(context, story, limits);
  if (interleaving.rows.empty()) return;
  out << "\n  How it came about (numbers are events of the trace):\n";
  for (const std::string& line : render_columns(context, interleaving, story, options.width - 2, paint)) {
    out << "  " << line << '\n';
  }
  if (interleaving.hidden_threads.empty()) return;
  std::vector<std::string> names;
  for (uint32_t thread : interleaving.hidden_threads) {
    if (names.size() == 8) break;
    names.push_back(context.thread(thread));
  }
  size_t more = interleaving.hidden_threads.size() - names.size();
  if (more > 0) names.push_back(fmt::format("{} more", more));
  out << "  Not shown: " << join_words(names) << ".\n";
}

// Reasons why the report may say less than it could, or something else than expected.
void render_notes(std::ostream& out, ReportContext& context) {
  // Which thread the schedule wanted is known only with the schedule at hand.
  if (const uint64_t step = context.trace().outcome().diverged_step; step != 0) {
    out << fmt::format("  note: the schedule could not be followed from choice {} on\n", step);
  }
  for (const std::string& problem : context.symbols.problems()) out << "  note: " << problem << '\n';
}

// A word that a shell reads as itself.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

TerminalOptions terminal_options(int fd) {
  TerminalOptions options;
  options.width = terminal_width(fd);
  const char* no_colour = std::getenv("NO_COLOR");
  options.colour = isatty(fd) == 1 && (no_colour == nullptr || *no_colour == '\0');
  return options;
}

void render_terminal(std::ostream& out, const Finding& finding, const trace::Trace& trace,
                     Symbolizer& symbolizer, const TerminalOptions& options) {
  std::error_code error;
  ReportContext context(
      trace, symbolizer,
      options.directory.empty() ? std::filesystem::current_path(error).string() : options.directory);
  if (finding.race && *finding.race < trace.races().size()) {
    render_terminal(out, finding, context, tell_race(context, trace.races()[*finding.race]), options);
  } else if (std::optional<FailureStory> story = tell_failure(context)) {
    render_terminal(out, finding, context, *story, options);
  }
}

void render_terminal(std::ostream& out, const Finding& finding, ReportContext& context,
                     const FailureStory& story, const TerminalOptions& options) {
  Paint paint(options.colour);
  for (const std::string& line : story.banner) out << line << '\n';
  out << paint.failure(finding.kind + ":") << ' ' << paint.bold(story.message) << '\n';
  render_details(out, story);
  render_notes(out, context);
  render_interleaving(out, context, story, options, paint);
  render_replay_hint(out, finding);
}

void render_replay_hint(std::ostream& out, const Finding& finding) {
  if (finding.schedule.empty()) return;
  std::string file = shell_word(finding.schedule);
  out << "\n  Replay:    heddle replay " << file << '\n';
  out << "  In gdb:    heddle replay --gdb " << file << '\n';
}

}  // namespace heddle
