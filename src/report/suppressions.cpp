#include "report/suppressions.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "trace/input_file.h"
#include "trace/printable.h"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 9> kKinds = {"race",     "race_top", "thread",          "mutex",
                                                    "signal",   "deadlock", "called_from_lib", "lost_wakeup",
                                                    "atomicity"};

constexpr uint64_t kMaxFileSize = 16 << 20;

// The kind of suppression for each kind of finding; none for crashes and the like.
std::string_view suppression_kind(std::string_view finding) {
  if (finding == "race" || finding == "use-after-free") return "race";
  if (finding == "lost-wakeup") return "lost_wakeup";
  if (finding == "misuse") return "mutex";
  if (finding == "deadlock" || finding == "atomicity") return finding;
  return {};
}

// Kinds of reports that there are in ThreadSanitizer only: threads that leak, what signal handlers do.
bool has_findings(std::string_view kind) {
  return kind != "thread" && kind != "signal";
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

bool matches(const Suppression& suppression, const SuppressibleFrame& frame) {
  return matches_template(suppression.pattern, frame.function) ||
         matches_template(suppression.pattern, frame.file) ||
         matches_template(suppression.pattern, frame.module);
}

bool applies(const Suppression& suppression, const Suppressible& finding) {
  const std::string_view kind = suppression_kind(finding.kind);
  if (kind.empty()) return false;
  const auto is_hit = [&](const SuppressibleFrame& frame) { return matches(suppression, frame); };
  if (suppression.kind == "race_top" && kind == "race") {
    return std::any_of(finding.frames.begin(), finding.frames.end(),
                       [&](const SuppressibleFrame& frame) { return frame.is_top && is_hit(frame); });
  }
  if (suppression.kind == "called_from_lib") {
    if (kind != "race" && kind != "mutex" && kind != "deadlock") return false;
    return std::any_of(finding.frames.begin(), finding.frames.end(), [&](const SuppressibleFrame& frame) {
      return frame.is_top && matches_template(suppression.pattern, frame.module);
    });
  }
  if (suppression.kind != kind) return false;
  return std::any_of(finding.frames.begin(), finding.frames.end(), is_hit) ||
         std::any_of(finding.variables.begin(), finding.variables.end(), [&](const std::string& variable) {
           return matches_template(suppression.pattern, variable);
         });
}

}  // namespace

// Literal parts between stars must come in this order; each is taken where it first fits.
bool matches_template(std::string_view pattern, std::string_view text) {
  if (text.empty() || pattern.empty()) return false;
  const bool at_begin = pattern.starts_with('^');
  if (at_begin) pattern.remove_prefix(1);
  const bool at_end = pattern.ends_with('$');
  if (at_end) pattern.remove_suffix(1);
  bool is_first = at_begin;
  while (true) {
    const size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool is_last = star == pattern.npos;
    if (is_first) {
      if (!text.starts_with(part)) return false;
      if (is_last && at_end) return text.size() == part.size();
      text.remove_prefix(part.size());
    } else if (is_last && at_end) {
      return text.ends_with(part);
    } else {
      const size_t found = text.find(part);
      if (found == text.npos) return false;
      text.remove_prefix(found + part.size());
    }
    if (is_last) return true;
    pattern.remove_prefix(star + 1);
    is_first = false;
  }
}

Expected<Suppressions> Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions result;
  uint64_t number = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const size_t colon = line.find(':');
    if (colon == line.npos) {
      return usage_error(
          fmt::format("{}:{}: expected kind:pattern, such as race:Statistics::bump", name, number));
    }
    const std::string_view kind = line.substr(0, colon);
    const std::string_view pattern = trimmed(line.substr(colon + 1));
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
      return usage_error(fmt::format("{}:{}: unknown kind of suppression '{}'; kinds: {}", name, number,
                                     trace::printable(kind), fmt::join(kKinds, ", ")));
    }
    if (pattern.empty()) {
      return usage_error(fmt::format("{}:{}: the pattern after {}: is missing", name, number, kind));
    }
    result.all_.push_back({.kind = std::string(kind), .pattern = std::string(pattern), .line = number});
  }
  return result;
}

Expected<Suppressions> Suppressions::read(const std::string& path) {
  Expected<trace::InputFile> file = trace::InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const Expected<std::string> text = file->read_all(kMaxFileSize);
  if (!text) return tl::unexpected(text.error());
  return parse(*text, path);
}

Suppressions Suppressions::built_in() {
  Suppressions result;
  // load() of std::atomic<std::shared_ptr> unlocks with a relaxed operation (libstdc++ 12).
  result.all_.push_back({.kind = "race", .pattern = "std::_Sp_atomic", .is_built_in = true});
  return result;
}

void Suppressions::add(const Suppressions& others) {
  all_.insert(all_.end(), others.all_.begin(), others.all_.end());
}

bool Suppressions::suppress(const Suppressible& finding) {
  bool is_suppressed = false;
  for (Suppression& suppression : all_) {
    if (!applies(suppression, finding)) continue;
    ++suppression.hits;
    is_suppressed = true;
  }
  return is_suppressed;
}

std::vector<Suppression> Suppressions::unused() const {
  std::vector<Suppression> unused;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(unused), [](const Suppression& suppression) {
    return suppression.hits == 0 && !suppression.is_built_in && has_findings(suppression.kind);
  });
  return unused;
}

}  // namespace heddle
