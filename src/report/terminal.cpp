#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "report/columns.h"
#include "report/text.h"

namespace heddle {
namespace {

constexpr size_t kMinWidth = 40;
constexpr size_t kMaxWidth = 240;  // longer lines are hard to follow
constexpr size_t kMostNames = 8;

size_t terminal_width(int fd) {
  size_t width = 0;
  if (const char* columns = std::getenv("COLUMNS")) width = std::strtoul(columns, nullptr, 10);
  winsize size{};
  if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? TerminalOptions{}.width : std::clamp(width, kMinWidth, kMaxWidth);
}

void render_details(std::ostream& out, const Evidence& evidence) {
  for (const Paragraph& paragraph : evidence.details) {
    out << "  " << paragraph.text << '\n';
    for (const std::string& line : paragraph.lines) out << "      " << line << '\n';
  }
}

bool has_changed_lines(const Flow& flow) {
  return std::any_of(flow.rows.begin(), flow.rows.end(),
                     [](const FlowRow& row) { return row.step.place.is_changed; });
}

void render_interleaving(std::ostream& out, const Flow& flow, const TerminalOptions& options,
                         const Paint& paint) {
  if (flow.rows.empty()) return;
  out << fmt::format("\n  How it came about (numbers are events of the trace{}):\n",
                     has_changed_lines(flow) ? ", + marks lines that the change touches" : "");
  for (const std::string& line : render_columns(flow, options.width - 2, paint)) out << "  " << line << '\n';
  if (flow.hidden_threads.empty()) return;
  std::vector<std::string> names = flow.hidden_threads;
  if (names.size() > kMostNames) {
    const size_t more = names.size() - kMostNames;
    names.resize(kMostNames);
    names.push_back(fmt::format("{} more", more));
  }
  out << "  Not shown: " << join_words(names) << ".\n";
}

// All there is to say of a finding that was not kept in full.
void render_sites(std::ostream& out, const Finding& finding) {
  for (const FindingSite& site : finding.sites) {
    const std::string place = site.file.empty() ? "" : fmt::format("  {}:{}", site.file, site.line);
    out << "  in " << site.function << place << '\n';
  }
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

void render_terminal(std::ostream& out, const Finding& finding, const TerminalOptions& options) {
  const Paint paint(options.colour);
  const Evidence* evidence = finding.evidence.get();
  if (evidence != nullptr)
    for (const std::string& line : evidence->banner) out << line << '\n';
  out << paint.failure(finding.kind + ":") << ' '
      << paint.bold(evidence != nullptr ? evidence->message : finding.message) << '\n';
  if (evidence != nullptr) {
    render_details(out, *evidence);
    for (const std::string& note : evidence->notes) out << "  note: " << note << '\n';
    render_interleaving(out, evidence->columns, options, paint);
  } else {
    render_sites(out, finding);
  }
  render_replay_hint(out, finding);
}

void render_replay_hint(std::ostream& out, const Finding& finding) {
  if (finding.schedule.empty()) return;
  std::string file = shell_word(finding.schedule);
  out << "\n  Replay:    heddle replay " << file << '\n';
  out << "  In gdb:    heddle replay --gdb " << file << '\n';
}

}  // namespace heddle
