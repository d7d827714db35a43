#include "interact/trial/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace heddle::interact {
namespace {

// A program that goes on after a report can have many; those after this many say little new.
constexpr size_t kMostReports = 5;

constexpr std::string_view kSanitizer = "Sanitizer: ";
constexpr std::string_view kUndefined = ": runtime error: ";
constexpr std::string_view kAssertion = ": Assertion ";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    result.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return result;
}

std::string_view without_end(std::string_view line) {
  return line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
}

// "==123==ERROR: AddressSanitizer: …": what comes after the name, if it is such a line.
std::optional<std::string_view> error_text(std::string_view line) {
  if (!line.starts_with("==")) return {};
  const size_t end = line.find("==", 2);
  if (end == std::string_view::npos || !std::all_of(line.begin() + 2, line.begin() + end, is_digit))
    return {};
  const std::string_view rest = line.substr(end + 2);
  const size_t name = rest.find(kSanitizer);
  if (name == std::string_view::npos || !(rest.starts_with("ERROR: ") || rest.starts_with("WARNING: ")))
    return {};
  // What it merely mentions: "WARNING: AddressSanitizer failed to allocate …" has no colon.
  return rest.substr(name + kSanitizer.size());
}

// "heap-buffer-overflow on address 0x…" → "heap-buffer-overflow".
std::string kind_of(std::string_view text) {
  if (text.starts_with("attempting free on address which was not")) return "bad-free";
  if (text.starts_with("requested allocation size")) return "allocation-size-too-big";
  for (const std::string_view end : {" on ", " (", ":", ". ", " 0x"}) text = text.substr(0, text.find(end));
  if (text.starts_with("attempting ")) text.remove_prefix(std::string_view("attempting ").size());
  return std::string(text);
}

// "    #1 0x55d5 in f /a/b.c:3:5" or "    #1 0x55d5  (/a/prog+0x1234) (BuildId: …)".
struct StackLine {
  std::string module;
  uint64_t offset = 0;
  Frame frame;  // if it has names already
};

std::optional<StackLine> stack_line(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  if (begin == 0 || begin == std::string_view::npos || line[begin] != '#' || begin + 1 >= line.size() ||
      !is_digit(line[begin + 1]))
    return {};
  StackLine result;
  const size_t plus = line.find("+0x");
  const size_t open = plus == std::string_view::npos ? plus : line.rfind('(', plus);
  if (open != std::string_view::npos) {
    result.module = line.substr(open + 1, plus - open - 1);
    std::from_chars(line.data() + plus + 3, line.data() + line.size(), result.offset, 16);
  }
  if (const size_t in = line.find(" in "); in != std::string_view::npos) {
    std::string_view names = line.substr(in + 4, open == std::string_view::npos ? open : open - in - 4);
    const size_t file = names.find(" /");
    result.frame.function = names.substr(0, std::min(file, names.find_last_not_of(" \n") + 1));
    if (file != std::string_view::npos) {
      names = without_end(names.substr(file + 1));
      const size_t number = names.find(':');
      result.frame.file = names.substr(0, number);
      if (number != std::string_view::npos)
        std::from_chars(names.data() + number + 1, names.data() + names.size(), result.frame.line);
    }
  }
  return result;
}

// Of the sanitizer itself, which is linked into programs, or of what it stands in for.
bool is_of_sanitizer(const Frame& frame) {
  constexpr std::array<std::string_view, 5> kPrefixes = {"__asan", "__interceptor", "___interceptor",
                                                         "__sanitizer", "__ubsan"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return frame.function.starts_with(prefix); }) ||
         frame.file.find("/compiler-rt/") != std::string::npos ||
         frame.file.find("sanitizer") != std::string::npos;
}

class ReportReader {
 public:
  ReportReader(std::string_view err, std::string_view program, const NamedPosition& name)
      : lines_(lines_of(err)), program_(program), name_(name) {}

  SplitErrors read() {
    while (at_ < lines_.size()) {
      if (!read_error() && !read_undefined() && !read_assertion()) split_.rest.append(lines_[at_++]);
    }
    for (const std::string& report : reports_) split_.report += (split_.report.empty() ? "" : "; ") + report;
    return std::move(split_);
  }

 private:
  void add(const std::string& kind, const std::string& function, std::string_view file, uint32_t line) {
    std::string report = kind;
    if (!function.empty()) report += " in " + function;
    if (!file.empty()) report += fmt::format(" at {}:{}", base_name(file), line);
    if (reports_.size() < kMostReports &&
        std::find(reports_.begin(), reports_.end(), report) == reports_.end())
      reports_.push_back(std::move(report));
  }

  // The innermost frame in the program's own code, of the stack that begins at a line.
  Frame own_frame(size_t from) const {
    Frame first;
    for (size_t i = from; i < lines_.size(); ++i) {
      const std::optional<StackLine> line = stack_line(lines_[i]);
      if (!line) {
        if (i > from && without_end(lines_[i]).empty()) break;  // the end of the stack
        continue;
      }
      if (line->module == program_) {
        for (const Frame& frame : name_(line->module, line->offset)) {
          if (is_of_sanitizer(frame)) continue;
          if (!frame.file.empty()) return frame;
          // Offsets change with each build.
          if (first.function.empty() && frame.function.find("+0x") == std::string::npos) first = frame;
        }
      } else if (!line->frame.file.empty() && !is_of_sanitizer(line->frame)) {
        return line->frame;
      }
    }
    return first;
  }

  // The rest of the output belongs to it, up to "==123==ABORTING".
  bool read_error() {
    const std::string_view line = without_end(lines_[at_]);
    if (line.starts_with("=====") && line.find_first_not_of('=') == std::string_view::npos &&
        at_ + 1 < lines_.size() && error_text(lines_[at_ + 1])) {
      ++at_;
      return true;
    }
    if (line.ends_with("Sanitizer:DEADLYSIGNAL")) {
      ++at_;
      return true;
    }
    const std::optional<std::string_view> text = error_text(line);
    if (!text) return false;
    const Frame frame = own_frame(at_ + 1);
    add(kind_of(*text), frame.function, frame.file, frame.line);
    while (at_ < lines_.size() && !without_end(lines_[at_]).ends_with("==ABORTING")) ++at_;
    at_ = std::min(at_ + 1, lines_.size());
    return true;
  }

  // "a.c:3:5: runtime error: signed integer overflow: 1 + 2 cannot …", with a stack and the memory around.
  bool read_undefined() {
    const std::string_view line = without_end(lines_[at_]);
    const size_t where = line.find(kUndefined);
    if (where == std::string_view::npos) return false;
    std::string_view place = line.substr(0, where);
    const size_t first = place.find(':');
    uint32_t number = 0;
    if (first != std::string_view::npos)
      std::from_chars(place.data() + first + 1, place.data() + place.size(), number);
    std::string_view kind = line.substr(where + kUndefined.size());
    kind = kind.substr(0, std::min(kind.find(": "), kind.find(" 0x")));
    const Frame frame = own_frame(at_ + 1);
    add(std::string(kind), frame.function, place.substr(0, first), number);
    ++at_;
    if (at_ < lines_.size() && lines_[at_].find(": note: ") != std::string_view::npos)
      at_ = std::min(at_ + 3, lines_.size());
    while (at_ < lines_.size() && stack_line(lines_[at_])) {
      ++at_;
      if (at_ < lines_.size() && without_end(lines_[at_]).empty() && !stack_line(lines_[at_])) {
        ++at_;
        break;
      }
    }
    if (at_ < lines_.size() && lines_[at_].starts_with("SUMMARY: UndefinedBehaviorSanitizer")) ++at_;
    return true;
  }

  // "prog: a.c:3: f: Assertion `x' failed.", and the same of the C++ library.
  bool read_assertion() {
    const std::string_view line = without_end(lines_[at_]);
    const size_t assertion = line.find(kAssertion);
    if (assertion == std::string_view::npos || !line.ends_with(" failed.")) return false;
    const std::string_view place = line.substr(0, assertion);
    for (size_t colon = place.find(':'); colon != std::string_view::npos;
         colon = place.find(':', colon + 1)) {
      size_t end = colon + 1;
      while (end < place.size() && is_digit(place[end])) ++end;
      if (end == colon + 1 || place.substr(end, 2) != ": ") continue;
      uint32_t number = 0;
      std::from_chars(place.data() + colon + 1, place.data() + end, number);
      std::string_view file = place.substr(0, colon);
      if (const size_t name = file.rfind(": "); name != std::string_view::npos) file.remove_prefix(name + 2);
      std::string_view what = line.substr(assertion + kAssertion.size());
      what.remove_suffix(1);
      add(fmt::format("assertion {}", what), std::string(place.substr(end + 2)), file, number);
      ++at_;
      return true;
    }
    return false;
  }

  std::vector<std::string_view> lines_;
  std::string_view program_;
  const NamedPosition& name_;
  size_t at_ = 0;
  std::vector<std::string> reports_;
  SplitErrors split_;
};

}  // namespace

SplitErrors split_errors(std::string_view err, std::string_view program, const NamedPosition& name) {
  return ReportReader(err, program, name).read();
}

bool is_about_resources(std::string_view report) {
  constexpr std::array<std::string_view, 7> kKinds = {"out-of-memory",
                                                      "allocation-size-too-big",
                                                      "rss-limit-exceeded",
                                                      "hard rss limit",
                                                      "calloc-overflow",
                                                      "stack-overflow",
                                                      "internal allocator is out of memory"};
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](std::string_view kind) { return report.starts_with(kind); });
}

}  // namespace heddle::interact
