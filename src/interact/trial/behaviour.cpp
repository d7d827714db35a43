#include "interact/trial/behaviour.h"

#include <cctype>
#include <regex>

#include <fmt/format.h>

namespace heddle::interact {
namespace {

// std::regex needs a stack frame for each character; of a longer line, only the beginning is looked at.
constexpr size_t kLongestMatched = 1'024;

class LineFilter {
 public:
  explicit LineFilter(const IgnoredLines& ignored) {
    for (const std::string& pattern : ignored.patterns) patterns_.emplace_back(pattern);
  }

  std::string kept(std::string_view text) const {
    std::string result;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
      text.remove_prefix(line.size());
      if (!is_ignored(line)) result.append(line);
    }
    return result;
  }

 private:
  bool is_ignored(std::string_view line) const {
    if (line.ends_with('\n')) line.remove_suffix(1);
    line = line.substr(0, kLongestMatched);
    for (const std::regex& pattern : patterns_)
      if (std::regex_search(line.begin(), line.end(), pattern)) return true;
    return false;
  }

  std::vector<std::regex> patterns_;
};

bool have_same_files(const Behaviour& a, const Behaviour& b, const LineFilter& filter) {
  if (a.removed_input != b.removed_input || a.files.size() != b.files.size()) return false;
  for (auto at = a.files.begin(), other = b.files.begin(); at != a.files.end(); ++at, ++other) {
    if (at->first != other->first) return false;
    if (at->second != other->second && filter.kept(at->second) != filter.kept(other->second)) return false;
  }
  return true;
}

// Line numbers move between versions, and only numbers of lines come after a colon in a report.
std::string without_lines(std::string_view report) {
  std::string result;
  for (size_t i = 0; i < report.size(); ++i) {
    if (report[i] == ':' && i + 1 < report.size() &&
        std::isdigit(static_cast<unsigned char>(report[i + 1]))) {
      while (i + 1 < report.size() && std::isdigit(static_cast<unsigned char>(report[i + 1]))) ++i;
    } else {
      result.push_back(report[i]);
    }
  }
  return result;
}

}  // namespace

Expected<void> check(const IgnoredLines& ignored) {
  for (const std::string& pattern : ignored.patterns) {
    try {
      const std::regex compiled(pattern);
    } catch (const std::regex_error& error) {
      return usage_error(fmt::format("'{}' is not a regular expression: {}", pattern, error.what()));
    }
  }
  return {};
}

std::vector<Aspect> differing(const Behaviour& a, const Behaviour& b, const IgnoredLines& ignored) {
  if (a.was_ended() && b.was_ended()) return {};
  if (a.was_ended() || b.was_ended()) return {Aspect::kTime};
  const LineFilter filter(ignored);
  const auto differ = [&](const std::string& one, const std::string& other) {
    return one != other && filter.kept(one) != filter.kept(other);
  };
  std::vector<Aspect> result;
  if (differ(a.out, b.out)) result.push_back(Aspect::kOut);
  if (differ(a.err, b.err)) result.push_back(Aspect::kErr);
  if (a.signal != b.signal)
    result.push_back(Aspect::kCrash);
  else if (a.exit_code != b.exit_code)
    result.push_back(Aspect::kExit);
  if (!is_same_report(a.report, b.report)) result.push_back(Aspect::kReport);
  if (!have_same_files(a, b, filter)) result.push_back(Aspect::kFiles);
  return result;
}

bool is_same_report(std::string_view a, std::string_view b) {
  return a == b || without_lines(a) == without_lines(b);
}

}  // namespace heddle::interact
