#include "expectation.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "trace/names.h"

namespace heddle::programs {
namespace {

// The rest of a line "// key: rest", or nothing.
std::optional<std::string> value_of(const std::string& line, const std::string& key) {
  const std::string start = "// " + key + ": ";
  if (!line.starts_with(start)) return std::nullopt;
  return line.substr(start.size());
}

bool parse_number(const std::string& text, uint64_t* number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

Expected<std::vector<trace::OutcomeKind>> parse_kinds(const std::string& text) {
  std::vector<trace::OutcomeKind> kinds;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto kind = trace::parse_outcome_kind(word);
    if (!kind) return usage_error(fmt::format("'{}' is no kind of outcome", word));
    kinds.push_back(*kind);
  }
  const bool has_ok = std::ranges::find(kinds, trace::OutcomeKind::kOk) != kinds.end();
  if (kinds.empty() || (has_ok && kinds.size() > 1)) {
    return usage_error(fmt::format("'{}' is neither ok nor a list of failures", text));
  }
  return kinds;
}

}  // namespace

bool Expectation::allows(trace::OutcomeKind kind) const {
  return std::ranges::find(kinds, kind) != kinds.end();
}

Expected<Expectation> read_expectation(const std::string& source_path) {
  std::ifstream file(source_path);
  if (!file) return usage_error(fmt::format("cannot read {}", source_path));
  Expectation expectation;
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    if (const auto text = value_of(line, "expect")) {
      auto kinds = parse_kinds(*text);
      if (!kinds) return usage_error(fmt::format("{}: {}", source_path, kinds.error().message));
      expectation.kinds = std::move(*kinds);
    } else if (const auto executions = value_of(line, "executions")) {
      if (!parse_number(*executions, &expectation.executions)) {
        return usage_error(fmt::format("{}: 'executions: {}' is no number", source_path, *executions));
      }
    } else if (const auto steps = value_of(line, "steps")) {
      if (!parse_number(*steps, &expectation.steps)) {
        return usage_error(fmt::format("{}: 'steps: {}' is no number", source_path, *steps));
      }
    } else if (const auto message = value_of(line, "message")) {
      expectation.message = *message;
    } else if (value_of(line, "addresses") == "matter") {
      expectation.addresses_matter = true;
    } else if (const auto inject = value_of(line, "inject")) {
      const auto injection = parse_injection(*inject);
      if (!injection) return usage_error(fmt::format("{}: {}", source_path, injection.error().message));
      expectation.injection = *injection;
    } else if (const auto preload = value_of(line, "preload")) {
      expectation.preload = *preload;
    } else if (const auto detect = value_of(line, "detect")) {
      if (*detect != "race") {
        return usage_error(fmt::format("{}: there is no 'detect: {}'", source_path, *detect));
      }
      expectation.detects_races = true;
    } else if (const auto timeouts = value_of(line, "timeouts")) {
      if (*timeouts != "idle") {
        return usage_error(fmt::format("{}: there is no 'timeouts: {}'", source_path, *timeouts));
      }
      expectation.timeouts_when_idle = true;
    }
  }
  if (expectation.kinds.empty()) {
    return usage_error(
        fmt::format("{} does not state what to expect: add '// expect: ok' or a failure", source_path));
  }
  return expectation;
}

}  // namespace heddle::programs
