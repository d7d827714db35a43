#include "report/report_context.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/text.h"

namespace heddle {
namespace {

// A, B, … Z, A1, B1, …
std::string letter_name(size_t index) {
  std::string name(1, static_cast<char>('A' + index % 26));
  return index < 26 ? name : name + std::to_string(index / 26);
}

}  // namespace

ReportContext::ReportContext(const trace::Trace& trace, Symbolizer& symbolizer, std::string directory)
    : ReportContext(std::make_shared<TraceFacts>(trace, symbolizer), std::move(directory)) {}

ReportContext::ReportContext(std::shared_ptr<TraceFacts> facts, std::string directory)
    : symbols(facts->symbols),
      sources(symbols.sources),
      facts_(std::move(facts)),
      directory_(std::move(directory)) {
  if (!directory_.empty() && directory_.back() != '/') directory_ += '/';
}

std::string ReportContext::path(const std::string& file) const {
  bool is_below = !directory_.empty() && file.starts_with(directory_);
  return is_below ? file.substr(directory_.size()) : file;
}

std::string ReportContext::path_line(const Frame& frame) const {
  if (frame.file.empty()) return frame.function;
  return fmt::format("{}:{}", path(frame.file), frame.line);
}

std::string ReportContext::place_text(const Place& place) {
  const Frame& frame = symbols.line_of_interest(place.site, place.context);
  if (frame.function.empty()) return "at an unknown place";
  std::string_view preposition = place.is_exact ? "at" : "after";
  if (frame.file.empty()) return fmt::format("{} {}", preposition, frame.function);
  std::string text = fmt::format("{} {} in {}", preposition, path_line(frame), frame.function);
  if (auto source = sources.line(frame.file, frame.line)) text += fmt::format(":  {}", printable(*source));
  return text;
}

bool ReportContext::is_caller(uint32_t ancestor, uint32_t context) const {
  while (context != ancestor && context != 0 && context < trace().contexts().size()) {
    context = trace().contexts()[context].parent;
  }
  return context == ancestor;
}

Place ReportContext::user_place(uint32_t thread, const Place& place) const {
  if (!symbols.is_in_system_library(place.site)) return place;
  auto events = trace().events();
  for (size_t i = events.size(); i > 0; --i) {
    const trace::EventRecord& event = events[i - 1];
    if (event.thread != thread || event.site == 0 || symbols.is_in_system_library(event.site)) continue;
    if (!is_caller(place.context, event.context)) continue;
    // What the function had called has returned: go up to its own line.
    Place last{event.site, event.context, /*is_exact=*/false};
    while (last.context != place.context) {
      const trace::ContextRecord& callee = trace().contexts()[last.context];
      last = {callee.call_site, callee.parent, /*is_exact=*/false};
    }
    return last;
  }
  return place;
}

std::vector<std::string> ReportContext::stack_lines(const std::vector<StackFrame>& stack) const {
  // Below the outermost frame of the user lie only the steps that start a thread or main.
  auto outermost =
      std::find_if(stack.rbegin(), stack.rend(), [](const StackFrame& frame) { return frame.is_user_code; });
  size_t count = outermost == stack.rend() ? stack.size() : static_cast<size_t>(stack.rend() - outermost);
  std::vector<std::string> lines;
  for (size_t i = 0; i < count; ++i) {
    const Frame& frame = stack[i].frame;
    std::string line = fmt::format("#{:<2} {}", i, frame.function);
    if (!frame.file.empty()) line += fmt::format("  {}", path_line(frame));
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string ReportContext::object_name(std::string_view noun, uint32_t object, uint64_t offset) {
  if (object == 0 || object >= trace().objects().size()) return std::string("a ").append(noun);
  const trace::ObjectKind kind = trace().objects()[object].kind;
  std::string what = symbols.location_text(object, offset);
  if (kind == trace::ObjectKind::kThread || kind == trace::ObjectKind::kDescriptor ||
      kind == trace::ObjectKind::kAtomicSet) {
    return what;
  }
  if (kind == trace::ObjectKind::kGlobal) return fmt::format("{} {}", noun, what);
  auto [entry, is_new] = letters_.try_emplace({object, offset}, letter_name(letters_.size()));
  std::string name = fmt::format("{} {}", noun, entry->second);
  return is_new ? fmt::format("{} ({})", name, what) : name;
}

}  // namespace heddle
